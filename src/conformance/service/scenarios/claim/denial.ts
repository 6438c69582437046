import { errorCode } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

export const denial = serviceScenario({
  id: 'denial',
  title: 'The user denies the claim',
  checks: {
    denied: 'A poll after the denial is answered access_denied.',
    'no-way-back': 'The code of a denied attempt completes nothing.',
  },
  restsOn: { 'no-way-back': 'denial.denied' },
  async run(judge, world) {
    await mustCompleteClaims(world);
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    const poll = () => pollPatiently(world, claimToken);
    const other = await ClaimPageSession.open(world, claim, email);
    await decideClaim(world, { ...claim, email, decision: 'deny' });
    judge.table(await poll(), { denied: errorCode('access_denied') });
    const typed = shownBy(await other.approve(claim.userCode));
    judge.table(await poll(), { 'no-way-back': notGranted }, typed);
  },
});
