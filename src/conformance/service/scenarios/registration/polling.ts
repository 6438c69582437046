import { CLAIM_GRANT_ENDINGS, SECOND } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { isGranted, isPending } from '../../steps/polls.ts';

/** RFC 8628 §3.2: without an interval, clients poll every five seconds. */
const USUAL_INTERVAL = 5;
const STEP = 5;
const LONGEST = 60;

export const polling = serviceScenario({
  id: 'polling',
  title: 'An agent polls too fast, then at the pace that it was told',
  checks: {
    'first-poll': 'The first poll of an attempt is never too early.',
    'slow-down': 'A poll much too early is answered slow_down.',
    raised: 'With slow_down the interval is five seconds longer, also for later polls.',
    pace: 'A poll at the pace that was told is answered authorization_pending.',
    capped: 'The interval grows to 60 seconds at most.',
    'final-at-once': 'An early poll of a completed claim is answered with the tokens.',
    shape: 'What a poll is refused with is 400 and JSON with error.',
    'every-grant': 'Each claim grant that the metadata lists is taken.',
  },
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken } = await world.byEmail();
    const interval = claim.interval ?? USUAL_INTERVAL;
    const poll = async () => {
      const answer = await client.poll(claimToken);
      judge.expect(
        'shape',
        isGranted(answer) || (answer.status === 400 && answer.string('error') !== undefined),
        answer,
      );
      return answer;
    };

    await everyGrant();
    await finalAtOnce();
    const first = await poll();
    judge.expect('first-poll', first.errorCode === 'authorization_pending', first);
    const early = await poll();
    judge.expect('slow-down', early.errorCode === 'slow_down', early);
    const slows = early.errorCode === 'slow_down';
    await time.pass((slows ? interval + STEP : interval) * SECOND);
    const paced = await poll();
    judge.expect('pace', paced.errorCode === 'authorization_pending', paced);
    if (slows) {
      await time.pass(interval * SECOND);
      const tooSoon = await poll();
      judge.expect('raised', tooSoon.errorCode === 'slow_down', tooSoon, {
        expected: `slow_down ${interval} s after the last poll: the interval was raised for good`,
      });
      // Far more than it takes to get from 5 to 60 seconds.
      for (let n = 0; n < 15; n += 1) await client.poll(claimToken);
      await time.pass(LONGEST * SECOND);
      const rested = await poll();
      judge.expect('capped', rested.errorCode === 'authorization_pending', rested, {
        expected: `authorization_pending after ${LONGEST} s, however many polls were too early`,
      });
    } else {
      judge.skip(['raised', 'capped'], 'The service never answers slow_down.');
    }
    async function everyGrant(): Promise<void> {
      const other = await world.byEmail();
      for (const grant of world.facts.grantTypes) {
        if (!CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending))) continue;
        const answer = await client.token({ grant_type: grant, claim_token: other.claimToken });
        judge.expect('every-grant', isPending(answer), answer, {
          expected: `authorization_pending by the grant ${grant}`,
        });
      }
    }

    async function finalAtOnce(): Promise<void> {
      const other = await world.byEmail();
      await client.poll(other.claimToken);
      await letClaim(world, { ...other.claim, email: other.email, decision: 'approve' });
      const final = await client.poll(other.claimToken);
      judge.expect('final-at-once', isGranted(final), final);
    }
  },
});
