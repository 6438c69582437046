import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { error, granted, pending } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { pollPatiently } from '../../steps/polls.ts';

export const reopenByEmail = serviceScenario({
  id: 'reopen-by-email',
  title: 'Somebody else tries to take over the claim of a registration by email',
  checks: {
    'other-refused': 'A registration by email opens no attempt for another email.',
    'other-code': 'A claim for another email is answered 403 email_mismatch.',
    undisturbed: 'The attempt for the right email stays open, and can be completed.',
  },
  async run(judge, world) {
    const { client } = world;
    const { claim, claimToken, email } = await world.byEmail();
    const started = await client.startClaim(claimToken, world.freshEmail());
    if (!started.refused) return void judge.table(started, { 'other-refused': refused });
    const open = await client.poll(claimToken);
    judge.table(open, { undisturbed: pending }, { case: 'a poll before its user has decided' });
    await (await ClaimPageSession.open(world, claim, email)).approve(claim.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { undisturbed: granted }, { case: 'a poll after its user has approved' });
    // It was refused for its email, if the same request with the right one is not.
    const control = await world.byEmail();
    await world.openClaim(control.claimToken, control.email);
    const byEmail = { 'other-refused': refused, 'other-code': error(403, 'email_mismatch') };
    judge.table(started, byEmail);
  },
});
