import { CannotTest, shown } from '../../engine/judge.ts';
import { errorCode, noStore } from '../../engine/rows.ts';
import { openJwt } from '../../jwt/open.ts';
import { providerScenario } from '../provider-scenario.ts';
import { signedBy } from '../steps/rows.ts';

const SHOWN_ALONE =
  'RFC 8628 §3.2 shows the header and does not ask for it; RFC 6749 §5.1 asks for it with tokens.';

export const deviceSignIn = providerScenario({
  id: 'device-sign-in',
  title: 'A user signs in by device authorization',
  checks: {
    started:
      'A device authorization is answered 200 with both codes, a verification_uri and a positive expires_in.',
    uncached: 'Answers with codes and tokens have Cache-Control: no-store.',
    pending: 'A poll before the user has acted is answered authorization_pending.',
    'slow-down': 'A poll within the interval is answered slow_down.',
    'signed-in': 'After approval a poll is answered 200 with an ID token.',
    'id-token-audience':
      "The ID token has the provider's iss, the client id as aud, and sub, iat and exp.",
    'id-token-signature': 'The ID token is signed by a key of the published key set.',
  },
  async run(judge, world) {
    const email = world.email();
    const started = await world.startSignIn();
    const isPositive = (name: string) => Number(started.answer.member(name)) > 0;
    const hasInterval = started.answer.member('interval') !== undefined;
    const isStarted =
      started.answer.status === 200 &&
      isPositive('expires_in') &&
      (!hasInterval || isPositive('interval'));
    judge.table(started.answer, { started: { ok: isStarted } });
    judge.table(started.answer, { uncached: noStore }, { reading: SHOWN_ALONE });
    const early = await world.client.poll(started.deviceCode);
    judge.table(early, { pending: errorCode('authorization_pending') });
    const fast = await world.client.poll(started.deviceCode);
    judge.table(fast, { 'slow-down': errorCode('slow_down') });
    const answer = await world.approve({ ...started, interval: started.interval + 5 }, email);
    const idToken = answer.string('id_token');
    const signedIn = answer.status === 200 && idToken !== undefined;
    if (!judge.expect('signed-in', signedIn, answer) || idToken === undefined) {
      throw new CannotTest('The provider issued no ID token.');
    }
    judge.table(answer, { uncached: noStore });
    const opened = openJwt(idToken);
    const { aud, exp, iat, iss, sub } = opened?.claims ?? {};
    const { clientId } = world.client;
    const isForAgent =
      iss === world.facts.issuer &&
      [aud].flat().includes(clientId) &&
      typeof sub === 'string' &&
      typeof exp === 'number' &&
      typeof iat === 'number';
    judge.table(answer, {
      'id-token-audience': {
        ok: isForAgent,
        seen: shown({ iss, aud, sub, iat, exp }),
        expected: `iss: ${world.facts.issuer}, aud: ${clientId}, with sub, iat and exp`,
      },
    });
    if (opened === undefined) return;
    judge.table(answer, { 'id-token-signature': signedBy(opened, await world.keySet()) });
  },
});
