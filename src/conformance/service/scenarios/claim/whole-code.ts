import { FROM } from '../../../pages/forged-forms.ts';
import { isCodeField } from '../../../user/form-fields.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { KeptOut } from '../../steps/controls.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollOpen, pollPatiently } from '../../steps/polls.ts';
import { halves, plainCode, wrongCodes } from '../../steps/user-codes.ts';

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
  restsOn: { needed: 'wrong-codes.nothing-claimed' },
  costly: true,
  async run(judge, world) {
    for (const typed of [halves, longer]) if (!(await judgeClaim(typed))) return;
    await judgeList();

    /** A form with the code several times: one try, if each of them were looked at. */
    async function judgeList(): Promise<void> {
      const { claim, claimToken, email } = await openClaim(world, world.userEmail());
      const { form, page, visitor } = await ClaimPageSession.open(world, claim, email);
      const name = form.fields.find(isCodeField)?.name ?? '';
      const [before = '', after = ''] = wrongCodes(claim.userCode, 2);
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
  const [before = '', after = ''] = wrongCodes(plain, 2);
  return [
    ['the code between two wrong ones', `${before}${plain}${after}`],
    ['the code, and a character more', `${plain}${after.slice(-1)}`, CUT],
  ];
}
