import { CannotTest, judgePart, shown } from '../../engine/judge.ts';
import { errorCode, noStore } from '../../engine/rows.ts';
import { openJwt } from '../../jwt/open.ts';
import { providerScenario } from '../provider-world.ts';
import { hasToken } from '../steps/device-codes.ts';
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

const LATER_POLLS = 2;

export const deviceDenied = providerScenario({
  id: 'device-denied',
  title: 'A user denies a device authorization',
  checks: {
    'no-token': 'After a denial no poll is answered with a token.',
    code: 'After a denial a poll is answered access_denied.',
    stays:
      'A code that was denied stays so: no later poll is pending again or answered with a token.',
  },
  restsOn: { stays: ['device-denied.no-token', 'device-denied.code'] },
  async run(judge, world) {
    const email = world.email();
    // Without a sign-in that works, there is nothing that a denial could keep from the agent.
    await world.signInByDevice(email);
    const started = await world.startSignIn();
    const { userCode, verificationUri } = started;
    await world.user.signIn({ verificationUri, userCode, email, decision: 'deny' });
    const answer = await world.collect(started);
    const given = answer.string('id_token') ?? answer.string('access_token');
    judge.table(answer, {
      'no-token': { ok: given === undefined },
      code: errorCode('access_denied'),
    });
    for (let poll = 1; poll <= LATER_POLLS; poll += 1) {
      const later = await world.client.poll(started.deviceCode);
      const isOver = !hasToken(later) && later.errorCode !== 'authorization_pending';
      judge.expect('stays', isOver, later);
    }
  },
});

export const deviceExpired = providerScenario({
  id: 'device-expired',
  title: 'A device code expires',
  checks: {
    expired: 'After expires_in a poll is answered expired_token.',
    late: 'An approval after expires_in signs no agent in.',
  },
  restsOn: { late: 'device-expired.expired' },
  async run(judge, world) {
    const started = await world.startSignIn();
    const { deviceCode, expiresIn = 600 } = started;
    await world.time.pass((expiresIn + 1) * 1000);
    const answer = await world.client.poll(deviceCode);
    judge.table(answer, { expired: errorCode('expired_token') });
    await judgePart(judge, 'late', async () => {
      const { userCode, verificationUri } = started;
      const email = world.email();
      await world.user.signIn({ verificationUri, userCode, email, decision: 'approve' });
      const late = await world.client.poll(deviceCode);
      judge.expect('late', !hasToken(late), late);
    });
  },
});
