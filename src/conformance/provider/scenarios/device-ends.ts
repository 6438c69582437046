import { judgePart } from '../../engine/judge-part.ts';
import { errorCode } from '../../engine/rows.ts';
import { providerScenario } from '../provider-scenario.ts';
import { hasToken } from '../steps/device-codes.ts';

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
