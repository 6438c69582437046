import { NotApplicable } from '../../../engine/judge.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { hasAccessOf } from '../../steps/account-access.ts';
import { granted, shownBy } from '../../steps/answers.ts';
import { approveAt, decideClaim } from '../../steps/decide-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';

export const claimedTakeover = serviceScenario({
  id: 'claimed-takeover',
  title: 'A registration that its user has claimed is opened for somebody else',
  checks: {
    kept: 'A registration that its user has claimed becomes that of nobody else.',
    'still-works': 'What its user has claimed still works after that.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client } = world;
    const { claimToken } = await world.anonymous();
    const owner = world.freshEmail();
    const claim = await world.openClaim(claimToken, owner);
    await decideClaim(world, { ...claim, email: owner, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    const assertion = world.must(claimed, 'identity_assertion', 'a completed claim');
    if (!(await hasAccessOf(world, claimed, owner))) {
      throw new NotApplicable('Nothing shows to whom a claimed registration belongs.');
    }
    const stranger = world.freshEmail();
    const reopened = await client.startClaim(claimToken, stranger);
    const fresh = readClaimBlock(reopened);
    if (fresh !== undefined) await approveAt(world, fresh, stranger);
    const after = await pollPatiently(world, claimToken);
    const isTaken = await hasAccessOf(world, after, stranger);
    judge.expect('kept', !isTaken, after, shownBy(reopened));
    judge.table(await client.exchange(assertion), { 'still-works': granted });
  },
});
