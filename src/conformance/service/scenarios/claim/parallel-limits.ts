import type { Answer } from '../../../http/answer.ts';
import { pageShape } from '../../../pages/page-shape.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decide } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { wrongCodes } from '../../steps/user-codes.ts';

/** More than any sensible service allows on one attempt. */
const MANY = 20;
const POLLS = 5;

type Typed = readonly [session: ClaimPageSession, code: string];

export const parallelLimits = serviceScenario({
  id: 'parallel-limits',
  title: 'Requests that arrive at the same time count one by one',
  checks: {
    tries: 'Of wrong codes that arrive at the same time no more are judged than one after another.',
    polls: 'Of polls that arrive at the same time, all but one are answered slow_down.',
  },
  restsOn: { tries: 'wrong-codes.burnt', polls: 'polling.slow-down' },
  costly: true,
  async run(judge, world) {
    /** The shape of the answer to the first wrong code. */
    let first: string | undefined;
    await judgePolls();
    await judgeTries();

    async function judgePolls(): Promise<void> {
      const { client } = world;
      const slow = await openClaim(world, world.userEmail());
      await client.poll(slow.claimToken);
      if ((await client.poll(slow.claimToken)).errorCode !== 'slow_down') {
        return judge.skip('polls', 'The service never answers slow_down.');
      }
      const { claimToken } = await openClaim(world, world.userEmail());
      const answers = await Promise.all(
        Array.from({ length: POLLS }, () => client.poll(claimToken)),
      );
      const inTime = answers.filter(({ errorCode }) => errorCode === 'authorization_pending');
      const seen = `${inTime.length} of ${POLLS} polls were answered authorization_pending.`;
      judge.expect('polls', inTime.length <= 1, seen, { exchange: inTime[1]?.exchange });
    }

    /** A page says whether it judged a code: as it did with the first wrong one. */
    async function judgeTries(): Promise<void> {
      const limit = await judgedInTurn();
      if (limit === MANY) {
        return judge.skip('tries', 'No page shows that codes are not judged any more.');
      }
      const { claim, email } = await openClaim(world, world.userEmail());
      const session = await ClaimPageSession.open(world, claim, email);
      const codes = wrongCodes(claim.userCode, MANY);
      let judged = await judgedAtOnce(codes.map((code) => [session, code]));
      if (judged.length > limit) judged = await judgedApart();
      const seen = `${judged.length} of ${MANY} at the same time, and ${limit} one after another`;
      judge.expect('tries', judged.length <= limit, seen, { exchange: judged.at(-1)?.exchange });
    }

    /**
     * The same from a session for each code: what was said of one code may be kept in a session until the next
     * page, and then shown on the pages of others too.
     */
    async function judgedApart(): Promise<readonly Answer[]> {
      const { claim, email } = await openClaim(world, world.userEmail());
      const typed: Typed[] = [];
      for (const code of wrongCodes(claim.userCode, MANY)) {
        typed.push([await ClaimPageSession.open(world, claim, email), code]);
      }
      return judgedAtOnce(typed);
    }

    /** The answers that are like the one to the first wrong code. */
    async function judgedAtOnce(typed: readonly Typed[]): Promise<readonly Answer[]> {
      const raced = await Promise.all(
        typed.map(([{ form, page, visitor }, userCode]) =>
          decide(visitor, page, form, { userCode, decision: 'approve' }),
        ),
      );
      return raced
        .filter(({ answer, forms }) => pageShape(answer, forms.some(asksForCode)) === first)
        .map(({ answer }) => answer);
    }

    /** How many wrong codes of an attempt are answered as the first one is. */
    async function judgedInTurn(): Promise<number> {
      const { claim, email } = await openClaim(world, world.userEmail());
      const session = await ClaimPageSession.open(world, claim, email);
      let judged = 0;
      for (const code of wrongCodes(claim.userCode, MANY)) {
        const answer = await session.approve(code);
        const seen = pageShape(answer, session.asksForCode);
        first ??= seen;
        if (seen === first) judged += 1;
      }
      return judged;
    }
  },
});
