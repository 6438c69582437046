import { asksForCode } from '../../../user/form-fields.ts';
import { decide, denying } from '../../../user/form-user.ts';
import { NoDenial } from '../../../user/own-reading.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession, openClaimPage } from '../../steps/claim-page-session.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { forgedPage } from '../../steps/forged-page.ts';
import { openClaim, tryToClaim } from '../../steps/open-claim.ts';
import { mustLast, pollOpen } from '../../steps/polls.ts';

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
      (await decide(visitor, forged, form, { userCode: code, decision })).answer;
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
