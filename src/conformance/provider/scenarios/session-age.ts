import { providerScenario } from '../provider-scenario.ts';
import { isRefused } from './mint-refusals.ts';

const MINUTE = 60_000;
/** Beyond the oldest sign-in that services take (wire contract: 60 minutes). */
const STALE = 125 * MINUTE;
const SKEW = 2 * MINUTE;

export const sessionAge = providerScenario({
  id: 'session-age',
  title: 'A sign-in grows old',
  checks: {
    'sign-in-time-kept': 'A later ID-JAG says the same moment of sign-in as the first one.',
    stale: 'From an old sign-in nothing is minted: insufficient_user_authentication with max_age.',
    'old-is-said': 'What is minted from an old sign-in says that it is old.',
    expired: 'An ID token after its end brings no ID-JAG.',
  },
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const first = world.open(await world.idJag(session, audience)).claims['auth_time'];
    await world.time.pass(10 * MINUTE);
    const second = world.open(await world.idJag(session, audience)).claims['auth_time'];
    judge.expect('sign-in-time-kept', second === first, `auth_time ${String(second)}`, {
      expected: `auth_time ${String(first)} ten minutes later, too`,
    });
    await world.time.pass(STALE);
    const stale = await world.client.mint(session.idToken, audience);
    const asksAgain =
      stale.errorCode === 'insufficient_user_authentication' &&
      (typeof stale.member('max_age') === 'number' || stale.member('acr_values') !== undefined);
    judge.expect('stale', asksAgain, stale);
    const token = stale.string('access_token');
    if (token === undefined) {
      judge.expect('old-is-said', true, stale);
    } else {
      const said = world.open(token).claims['auth_time'];
      judge.expect('old-is-said', said === first, `auth_time ${String(said)}`, {
        expected: `auth_time ${String(first)}`,
        exchange: stale.exchange,
      });
    }
    const { exp } = world.open(session.idToken).claims;
    if (typeof exp !== 'number') {
      judge.skip('expired', 'The ID token does not say when it ends.');
      return;
    }
    await world.time.pass(Math.max(0, exp * 1000 - world.time.now()) + SKEW);
    const over = await world.client.mint(session.idToken, audience);
    judge.expect('expired', isRefused(over), over);
  },
});
