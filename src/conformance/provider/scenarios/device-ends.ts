import { providerScenario } from '../provider-scenario.ts';

export const deviceDenied = providerScenario({
  id: 'device-denied',
  title: 'A user refuses to sign an agent in',
  checks: {
    'no-token': 'After a refusal no poll brings a token.',
    code: 'After a refusal a poll is answered access_denied.',
  },
  async run(judge, world) {
    const email = world.email();
    const started = await world.startSignIn();
    const { userCode, verificationUri } = started;
    await world.user.signIn({ verificationUri, userCode, email, decision: 'deny' });
    const answer = await world.collect(started);
    const given = answer.string('id_token') ?? answer.string('access_token');
    judge.expect('no-token', given === undefined, answer);
    judge.expect('code', answer.errorCode === 'access_denied', answer);
  },
});

export const deviceExpired = providerScenario({
  id: 'device-expired',
  title: 'A device code that nobody typed comes to its end',
  checks: {
    expired: 'After expires_in a poll is answered expired_token.',
  },
  async run(judge, world) {
    const started = await world.startSignIn();
    const { deviceCode, expiresIn = 600 } = started;
    await world.time.pass((expiresIn + 1) * 1000);
    const answer = await world.client.poll(deviceCode);
    judge.expect('expired', answer.errorCode === 'expired_token', answer);
  },
});
