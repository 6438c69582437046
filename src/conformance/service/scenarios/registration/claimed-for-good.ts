import { MINUTE } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { windowLeft } from '../../steps/claim-window.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { isGranted, needClaim, pollPatiently } from '../../steps/polls.ts';

export const claimedForGood = serviceScenario({
  id: 'claimed-for-good',
  title: 'A claim is completed just before the outer window ends, and outlives it',
  checks: {
    collected: 'It can be collected after the window, for an hour from its completion.',
    lasting: 'A claimed registration does not end with the window.',
    'no-fresh-attempt': 'Nor can it be claimed again then.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client, time } = world;
    const { answer, claimToken } = await world.anonymous();
    await time.pass(windowLeft(answer, world) - MINUTE);
    const email = world.freshEmail();
    const claim = await world.openClaim(claimToken, email);
    await letClaim(world, { ...claim, email, decision: 'approve' });
    await time.pass(30 * MINUTE);
    const collected = await pollPatiently(world, claimToken);
    judge.expect('collected', isGranted(collected), collected);
    const again = await client.startClaim(claimToken, email);
    judge.expect('no-fresh-attempt', again.refused, again);
    const assertion = collected.string('identity_assertion');
    if (assertion === undefined) return judge.skip('lasting', 'Nothing could be collected.');
    const exchanged = await client.exchange(assertion);
    judge.expect('lasting', isGranted(exchanged), exchanged);
  },
});
