import { CannotTest } from '../../../engine/judge.ts';
import { errorCode } from '../../../engine/rows.ts';
import { FROM } from '../../../pages/forged-forms.ts';
import { asksForCode, isCodeField } from '../../../user/form-fields.ts';
import { decide, denying } from '../../../user/form-user.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-world.ts';
import { isGranted, notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession, forgedPage, openClaimPage } from '../../steps/claim-page-session.ts';
import { KeptOut, mustCompleteClaims } from '../../steps/controls.ts';
import { openClaim, tryToClaim } from '../../steps/open-claim.ts';
import { mustLast, pollOpen, pollPatiently } from '../../steps/polls.ts';
import {
  codeBits,
  halves,
  LONG_CODE,
  LONG_CODE_BITS,
  plainCode,
  wrongCodes as wrongCodesFor,
} from '../../steps/user-codes.ts';

/** More than any sensible service allows on one attempt. */
const MANY = 20;
/** How many wrong codes are few on one attempt, and on one registration. */
const [PER_ATTEMPT, PER_REGISTRATION] = [5, 20];

const SOME_LIMIT = 'RFC 8628 §5.1 asks for a limit and leaves its number to the service.';

export const wrongCodes = serviceScenario({
  id: 'wrong-codes',
  title: 'Guessing user codes is stopped',
  checks: {
    'nothing-claimed': 'A wrong code completes nothing.',
    burnt:
      'After many wrong codes an attempt refuses the right one, in a new browser session as well.',
    'burnt-poll': 'A poll of an attempt that wrong codes have ended is answered expired_token.',
    'overall-limit':
      'Guessing over several attempts ends: no further attempt is opened for the registration.',
  },
  costly: true,
  async run(judge, world) {
    const { client } = world;
    if (!(await makesOneMistake())) return;
    const { claim, claimToken, email } = await openClaim(world);
    const isLong = codeBits(claim.userCode) >= LONG_CODE_BITS;
    const { count, session } = await guess(claim, MANY);
    // Somebody who guesses can sign in again for every try.
    const fresh = await openSession(claim.verificationUri);
    const { exchange } = await (fresh ?? session).approve(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const tried = {
      case: `after ${count} wrong codes`,
      exchange,
      reading: isLong ? LONG_CODE : undefined,
    };
    const ended = judge.table(polled, { burnt: notGranted }, tried);
    if (!ended) return;
    judge.table(polled, { 'burnt-poll': errorCode('expired_token') });
    // Codes that came after the end of the attempt were no guesses any more.
    await guessOnFreshAttempts(Math.min(count, PER_ATTEMPT));

    /** A user who mistypes once. Resolves with false when that went wrong. */
    async function makesOneMistake(): Promise<boolean> {
      const one = await openClaim(world);
      const page = await ClaimPageSession.open(world, one.claim, one.email);
      const typed = await page.approve(wrongCodesFor(one.claim.userCode, 1)[0] ?? '');
      const after = await pollPatiently(world, one.claimToken);
      const keptOut = new KeptOut(judge);
      if (!keptOut.tried('nothing-claimed', after, typed)) return false;
      await page.approve(one.claim.userCode);
      const claimed = await pollPatiently(world, one.claimToken);
      keptOut.end(claimed);
      // Where a right code completes nothing, the next one is not kept out by wrong ones.
      return isGranted(claimed);
    }

    /**
     * Types wrong codes until no page asks for one any more, or there were enough. A page that does not
     * ask again may be followed by one that does: who guesses opens the link again.
     */
    async function guess({ verificationUri, userCode }: typeof claim, most: number) {
      let page = await ClaimPageSession.open(world, { verificationUri }, email);
      let typed = 0;
      for (const code of wrongCodesFor(userCode, most)) {
        await page.approve(code);
        typed += 1;
        const next = page.asksForCode ? page : await openSession(verificationUri);
        if (next === undefined) break;
        page = next;
      }
      return { session: page, count: typed };
    }

    /** Undefined when the link asks for no code any more. */
    async function openSession(verificationUri: string): Promise<ClaimPageSession | undefined> {
      try {
        return await ClaimPageSession.open(world, { verificationUri }, email);
      } catch (problem) {
        if (problem instanceof CannotTest) return undefined;
        throw problem;
      }
    }

    /** Opens attempt after attempt, and guesses on each, until the service opens no further one. */
    async function guessOnFreshAttempts(already: number): Promise<void> {
      let wrong = already;
      for (let attempts = 1; attempts <= 2 * PER_REGISTRATION; attempts += 1) {
        const started = await client.startClaim(claimToken, email);
        const next = readClaimBlock(started);
        if (next === undefined && attempts === 1) {
          const reason = 'No attempt can be opened after wrong codes have ended one.';
          return judge.skip('overall-limit', reason);
        }
        if (next === undefined) {
          judge.table(started, {
            // Where it ends is the service's choice (RFC 8628 §5.1), as long as it does.
            'overall-limit': { ok: true },
          });
          return;
        }
        if (wrong >= 2 * PER_REGISTRATION) break;
        wrong += (await guess(next, PER_ATTEMPT)).count;
      }
      judge.expect('overall-limit', false, `${wrong} wrong codes, and still a fresh attempt`, {
        reading: isLong ? LONG_CODE : wrong < 2 * PER_REGISTRATION ? SOME_LIMIT : undefined,
      });
    }
  },
});

/** What is typed, by what it is: two at most for each claim: every service lets its users err twice. */
type Typed = readonly (readonly [what: string, text: string, reading?: string])[];

const CUT =
  'Who types more than the right code knows the code: a service may cut off what is too long.';

export const wholeCode = serviceScenario({
  id: 'whole-code',
  title: 'Nothing but the whole code completes a claim',
  checks: {
    needed:
      'Neither a part of the right code, nor a text or a list that only contains it, completes a claim.',
  },
  resting: { 'wrong-codes.nothing-claimed': ['needed'] },
  costly: true,
  async run(judge, world) {
    for (const typed of [halves, longer]) if (!(await judgeClaim(typed))) return;
    await judgeList();

    /** A form with the code several times: one try, if each of them were looked at. */
    async function judgeList(): Promise<void> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const { form, page, visitor } = await ClaimPageSession.open(world, claim, email);
      const name = form.fields.find(isCodeField)?.name ?? '';
      const [before = '', after = ''] = wrongCodesFor(claim.userCode, 2);
      const bare = Object.entries(form.values).filter(([other]) => other !== name);
      const codes = [before, claim.userCode, after].map((code): [string, string] => [name, code]);
      const typed = await visitor.exchange(form.action, {
        method: 'POST',
        headers: [['content-type', 'application/x-www-form-urlencoded'], ...FROM.ownPage(page.url)],
        body: new URLSearchParams([...bare, ...codes]).toString(),
      });
      const polled = await pollOpen(world, claimToken);
      const shown = { ...shownBy(typed), case: 'the code among wrong ones in one form' };
      judge.table(polled, { needed: notGranted }, shown);
    }

    /** Resolves with false when the claim is completed too early. */
    async function judgeClaim(texts: (code: string) => Typed): Promise<boolean> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const session = await ClaimPageSession.open(world, claim, email);
      const keptOut = new KeptOut(judge);
      for (const [what, text, reading] of texts(claim.userCode)) {
        const shown = { ...shownBy(await session.approve(text)), case: what, reading };
        const polled = await pollOpen(world, claimToken);
        if (!keptOut.tried('needed', polled, shown)) return false;
      }
      await session.approve(claim.userCode);
      keptOut.end(await pollPatiently(world, claimToken));
      return true;
    }
  },
});

/** A code that is looked for in what was typed falls to one text that holds many codes. */
function longer(code: string): Typed {
  const plain = plainCode(code);
  const [before = '', after = ''] = wrongCodesFor(plain, 2);
  return [
    ['the code between two wrong ones', `${before}${plain}${after}`],
    ['the code, and a character more', `${plain}${after.slice(-1)}`, CUT],
  ];
}

export const wrongAccount = serviceScenario({
  id: 'wrong-account',
  title: "Somebody else, signed in, tries to take over another account's claim",
  checks: {
    'not-claimed':
      'Another account than the one on record completes nothing, not even with the right code.',
    'form-refused': "The owner's form, sent in the session of another account, completes nothing.",
    'nobody-completes':
      "The owner's form, sent by somebody who is not signed in, completes nothing.",
    'not-denied': 'Another account cannot deny the claim.',
  },
  waits: true,
  async run(judge, world) {
    await mustCompleteClaims(world);
    const { claim, claimToken, email } = await openClaim(world);
    const { userCode, verificationUri } = claim;
    const poll = () => pollOpen(world, claimToken);
    // First its owner, so that a page that is not understood proves nothing against the service.
    const owner = await ClaimPageSession.open(world, claim, email);
    const otherEmail = world.freshEmail();
    const tried = await tryToClaim(world, { ...claim, claimToken }, otherEmail);
    const untaken = judge.table(tried, { 'not-claimed': notGranted });
    const { page, visitor } = await openClaimPage(world, verificationUri, otherEmail);
    if (!untaken) return;

    const approval = { userCode, decision: 'approve' } as const;
    const unsigned = await decide(world.visitor(), owner.page, owner.form, approval);
    const nobody = shownBy(unsigned.answer);
    if (!judge.table(await poll(), { 'nobody-completes': notGranted }, nobody)) return;
    const forged = forgedPage(owner.page, page);
    const form = forged.forms.find(asksForCode);
    if (form === undefined) return;
    const send = async (code: string, decision: 'approve' | 'deny') =>
      (await decide(visitor, forged, form, { userCode: code, decision, email: otherEmail })).answer;
    const sent = shownBy(await send(userCode, 'approve'));
    if (!judge.table(await poll(), { 'form-refused': notGranted }, sent)) return;
    if (denying(forged) === undefined) {
      judge.skip('not-denied', new NoDenial().message);
    } else {
      await send('', 'deny');
      const open = await poll();
      mustLast(world, claimToken);
      judge.expect('not-denied', open.errorCode !== 'access_denied', open);
    }
  },
});
