import { CLAIM_GRANT_ENDINGS, SECOND } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge.ts';
import { errorCode } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, isGranted, pending } from '../../steps/answers.ts';
import { decideClaim, openClaim } from '../../steps/open-claim.ts';
import { mustLast } from '../../steps/polls.ts';

/** RFC 8628 §3.2: without an interval, clients poll every five seconds. */
const USUAL_INTERVAL = 5;
const STEP = 5;

const authorizationPending = errorCode('authorization_pending');
const slowDown = errorCode('slow_down');

export const polling = serviceScenario({
  id: 'polling',
  title: 'An agent polls too fast, then at the interval of the service',
  checks: {
    'first-poll': 'The first poll of an attempt is never too early.',
    'slow-down': 'A poll right after another is answered slow_down.',
    raised: 'With slow_down the interval is five seconds longer, also for later polls.',
    pace: 'A poll at the interval is answered authorization_pending.',
    'final-at-once': 'An early poll of a completed claim is answered with the tokens.',
    shape: 'What a poll is refused with is 400 and JSON with error.',
    'every-grant': 'Each claim grant that the metadata lists is answered authorization_pending.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken } = await openClaim(world, world.userEmail());
    const interval = claim.interval ?? USUAL_INTERVAL;
    const poll = async () => {
      const answer = await client.poll(claimToken);
      const isError = answer.status === 400 && answer.string('error') !== undefined;
      judge.expect('shape', isGranted(answer) || isError, answer);
      return answer;
    };

    await pollByEveryGrant();
    await pollCompletedClaim();
    judge.table(await poll(), { 'first-poll': authorizationPending });
    const slows = judge.table(await poll(), { 'slow-down': slowDown });
    await wait(slows ? interval + STEP : interval);
    judge.table(await poll(), { pace: authorizationPending });
    if (slows) {
      await judgePart(judge, 'raised', judgeRaised);
    } else {
      judge.skip('raised', 'The service never answers slow_down.');
    }

    async function wait(seconds: number): Promise<void> {
      mustLast(world, claimToken, seconds * SECOND);
      await time.pass(seconds * SECOND);
      mustLast(world, claimToken);
    }

    /** Others may keep the suite for longer than the interval: then it is tried once more. */
    async function judgeRaised(): Promise<void> {
      for (let n = 0; n < 2; n += 1) {
        const before = time.now();
        await wait(interval);
        const seconds = (time.now() - before) / SECOND;
        const answer = await poll();
        if (seconds >= interval + STEP - 1) continue;
        const more = { case: `${Math.round(seconds)} s after the last poll` };
        return void judge.table(answer, { raised: slowDown }, more);
      }
      judge.untestable('raised', 'The suite could not poll again early enough.');
    }

    async function pollByEveryGrant(): Promise<void> {
      const other = await openClaim(world, world.userEmail());
      for (const grant of world.facts.grantTypes) {
        if (!CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending))) continue;
        const answer = await client.token({ grant_type: grant, claim_token: other.claimToken });
        judge.table(answer, { 'every-grant': pending }, { case: grant });
      }
    }

    async function pollCompletedClaim(): Promise<void> {
      const other = await openClaim(world, world.userEmail());
      await client.poll(other.claimToken);
      await decideClaim(world, { ...other.claim, email: other.email, decision: 'approve' });
      judge.table(await client.poll(other.claimToken), { 'final-at-once': granted });
    }
  },
});
