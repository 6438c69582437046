import { MINUTE } from '../../../protocol/index.ts';
import { providerScenario } from '../provider-scenario.ts';
import { refusedBy } from '../steps/rows.ts';

/** Older than any sign-in that services accept (wire contract: 60 minutes). */
const STALE = 125 * MINUTE;
const SKEW = 2 * MINUTE;

export const sessionAge = providerScenario({
  id: 'session-age',
  title: 'A sign-in gets old',
  checks: {
    'sign-in-time-kept': 'A later ID-JAG has the auth_time of the first one.',
    stale:
      'After an old sign-in a mint is answered insufficient_user_authentication with max_age or acr_values.',
    'old-is-said': 'An ID-JAG after an old sign-in keeps its auth_time.',
    expired: 'An expired ID token is refused.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const first = world.open(await world.idJag(session, audience)).claims['auth_time'];
    await world.time.pass(10 * MINUTE);
    const second = world.open(await world.idJag(session, audience)).claims['auth_time'];
    const kept = `auth_time ${String(second)} after ${String(first)}`;
    judge.expect('sign-in-time-kept', second === first, kept);
    await world.time.pass(STALE);
    const stale = await world.client.mint(session.idToken, audience);
    const asksAgain =
      stale.errorCode === 'insufficient_user_authentication' &&
      (typeof stale.member('max_age') === 'number' || stale.member('acr_values') !== undefined);
    judge.expect('stale', asksAgain, stale);
    const token = stale.string('access_token');
    const authTime = token === undefined ? first : world.open(token).claims['auth_time'];
    judge.expect(
      'old-is-said',
      authTime === first,
      `auth_time ${String(authTime)} after ${String(first)}`,
      {
        exchange: stale.exchange,
      },
    );
    const { exp } = world.open(session.idToken).claims;
    if (typeof exp !== 'number') {
      judge.skip('expired', 'The ID token has no exp.');
      return;
    }
    await world.time.pass(Math.max(0, exp * 1000 - world.time.now()) + SKEW);
    const expired = await world.client.mint(session.idToken, audience);
    judge.table(expired, { expired: refusedBy(world.breaking) });
  },
});
