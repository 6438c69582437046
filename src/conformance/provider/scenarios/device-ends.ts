import { errorCode } from '../../engine/rows.ts';
import { providerScenario } from '../provider-scenario.ts';

export const deviceDenied = providerScenario({
  id: 'device-denied',
  title: 'A user denies a device authorization',
  checks: {
    'no-token': 'After a denial no poll is answered with a token.',
    code: 'After a denial a poll is answered access_denied.',
  },
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
  },
});

export const deviceExpired = providerScenario({
  id: 'device-expired',
  title: 'A device code expires',
  checks: {
    expired: 'After expires_in a poll is answered expired_token.',
  },
  async run(judge, world) {
    const started = await world.startSignIn();
    const { deviceCode, expiresIn = 600 } = started;
    await world.time.pass((expiresIn + 1) * 1000);
    const answer = await world.client.poll(deviceCode);
    judge.table(answer, { expired: errorCode('expired_token') });
  },
});
