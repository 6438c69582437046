import type { Answer } from '../../../http/answer.ts';
import { pageShape } from '../../../pages/page-content.ts';
import type { Page } from '../../../pages/visitor.ts';
import { asksForCode } from '../../../user/form-fields.ts';
import { decide } from '../../../user/form-user.ts';
import { serviceScenario } from '../../service-world.ts';
import { isGranted } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { codeBits, LONG_CODE, LONG_CODE_BITS, wrongCodes } from '../../steps/user-codes.ts';

/** More than any sensible service allows on one attempt. */
const MANY = 20;
const POLLS = 5;
/** More than twice as many: where requests overtake each other, the right code is seldom one of the first. */
const BURST = 44;
/** How often it has to be claimed: no luck lasts so long. */
const BURSTS = 4;

type Typed = readonly [session: ClaimPageSession, code: string];

/** Codes of one attempt that were sent together. */
interface Burst {
  /** How many wrong ones were sent before the right one. */
  readonly behind: number;
  readonly pages: readonly Page[];
  readonly isClaimed: boolean;
  readonly isLong: boolean;
}

export const parallelLimits = serviceScenario({
  id: 'parallel-limits',
  title: 'Requests that arrive at the same time count one by one',
  checks: {
    tries: 'Of wrong codes that arrive at the same time no more are judged than one after another.',
    burst: 'The right code behind many wrong ones that arrive with it does not complete a claim.',
    polls: 'Of polls that arrive at the same time, all but one are answered slow_down.',
  },
  resting: {
    'wrong-codes.burnt': ['tries', 'burst'],
    'parallel-limits.tries': ['burst'],
    'polling.slow-down': ['polls'],
  },
  costly: true,
  async run(judge, world) {
    /** The shape of the answer to the first wrong code. */
    let first: string | undefined;
    await judgePolls();
    const limit = await judgedInTurn();
    const burst = await sendBurst(BURST);
    if (await judgeTries(limit, burst)) await judgeBursts(burst);

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
    async function judgeTries(limit: number, burst: Burst): Promise<boolean> {
      if (limit === MANY) {
        judge.skip('tries', 'No page shows that codes are not judged any more.');
        return true;
      }
      let judged = judgedOf(burst.pages);
      if (judged.length > limit) judged = await judgedApart();
      const seen = `${judged.length} at the same time, and ${limit} of ${MANY} one after another`;
      return judge.expect('tries', judged.length <= limit, seen, {
        exchange: judged.at(-1)?.exchange,
      });
    }

    /**
     * Judges several bursts, and not one: a code that was sent behind the others may arrive before most of them. Each
     * burst has an attempt of its own, and the right code at another place, behind more wrong ones than any limit.
     */
    async function judgeBursts(first: Burst): Promise<void> {
      let last = first;
      for (let sent = 1; last.isClaimed && sent < BURSTS; sent += 1) {
        last = await sendBurst(BURST - 6 * sent);
      }
      const { behind, isClaimed, isLong, pages } = last;
      judge.expect('burst', !isClaimed, `the claim is complete, in ${BURSTS} bursts of ${BURSTS}`, {
        exchange: pages[behind]?.answer.exchange,
        case: `the right code behind ${behind} wrong ones`,
        reading: isLong ? LONG_CODE : undefined,
      });
    }

    async function sendBurst(behind: number): Promise<Burst> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const session = await ClaimPageSession.open(world, claim, email);
      const codes = wrongCodes(claim.userCode, BURST);
      const all = [...codes.slice(0, behind), claim.userCode, ...codes.slice(behind)];
      const pages = await decideAtOnce(all.map((code) => [session, code]));
      const isClaimed = isGranted(await pollPatiently(world, claimToken));
      const isLong = codeBits(claim.userCode) >= LONG_CODE_BITS;
      return { behind, pages, isClaimed, isLong };
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
      return judgedOf(await decideAtOnce(typed));
    }

    /** The answers that are like the one to the first wrong code. */
    function judgedOf(pages: readonly Page[]): readonly Answer[] {
      return pages
        .filter(({ answer, forms }) => pageShape(answer, forms.some(asksForCode)) === first)
        .map(({ answer }) => answer);
    }

    function decideAtOnce(typed: readonly Typed[]): Promise<readonly Page[]> {
      return Promise.all(
        typed.map(([{ email, form, page, visitor }, userCode]) =>
          decide(visitor, page, form, { userCode, decision: 'approve', email }),
        ),
      );
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
