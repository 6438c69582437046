import { MINUTE } from '../../../../protocol/index.ts';
import { CannotTest } from '../../../engine/judge.ts';
import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted } from '../../steps/answers.ts';
import { claimWindow } from '../../steps/claim-window.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';

export const claimedForGood = serviceScenario({
  id: 'claimed-for-good',
  title: 'A claim is completed just before the outer window ends, and outlives it',
  checks: {
    lasting: 'A claimed registration does not end with the window.',
    'no-fresh-attempt': 'A claimed registration opens no further attempt after the window.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    needClaim(world);
    const { client, time } = world;
    const { answer, claimToken } = await world.anonymous();
    const { end, nearly } = claimWindow(answer, world);
    const length = end - time.now();
    await time.passTo(nearly);
    if (time.now() >= end) throw new CannotTest('The window ended before the suite could claim.');
    const email = world.userEmail();
    const claim = await world.openClaim(claimToken, email);
    await decideClaim(world, { ...claim, email, decision: 'approve' });
    // Long after a long window, and soon after a short one.
    await time.passTo(end + Math.min(30 * MINUTE, Math.ceil(length / 2)));
    const collected = await pollPatiently(world, claimToken);
    judge.table(await client.startClaim(claimToken, email), { 'no-fresh-attempt': refused });
    const assertion = collected.string('identity_assertion');
    if (assertion === undefined) return judge.skip('lasting', 'Nothing could be collected.');
    judge.table(await client.exchange(assertion), { lasting: granted });
  },
});
