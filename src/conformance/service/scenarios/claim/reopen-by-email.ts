import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const reopenByEmail = serviceScenario({
  id: 'reopen-by-email',
  title: 'Somebody else tries to take over the claim of a registration by email',
  checks: {
    'other-refused': 'A registration by email opens no attempt for another email.',
  },
  async run(judge, world) {
    const { client } = world;
    const { claimToken } = await world.byEmail();
    const started = await client.startClaim(claimToken, world.freshEmail());
    if (!started.refused) return void judge.table(started, { 'other-refused': refused });
    // It was refused for its email, if the same request with the right one is not.
    const control = await world.byEmail();
    await world.openClaim(control.claimToken, control.email);
    judge.table(started, { 'other-refused': refused });
  },
});
