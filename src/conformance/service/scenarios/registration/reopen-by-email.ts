import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { isGranted, isPending, pollPatiently } from '../../steps/polls.ts';

export const reopenByEmail = serviceScenario({
  id: 'reopen-by-email',
  title: 'Somebody else tries to take over the claim of a registration by email',
  checks: {
    'other-refused': 'A registration by email opens no attempt for another address.',
    'other-code': 'That is answered 403 email_mismatch.',
    undisturbed: 'The attempt for the right address stays what it was.',
  },
  async run(judge, world) {
    const { claim, claimToken, email } = await world.byEmail();
    const stranger = world.freshEmail();
    const started = await world.client.startClaim(claimToken, stranger);
    if (!judge.expect('other-refused', started.refused, started)) return;
    judge.expect(
      'other-code',
      started.status === 403 && started.errorCode === 'email_mismatch',
      started,
    );
    const polled = await world.client.poll(claimToken);
    judge.expect('undisturbed', isPending(polled), polled);
    await (await ClaimPageSession.take(world, claim, email)).type(claim.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.expect('undisturbed', isGranted(claimed), claimed);
  },
});
