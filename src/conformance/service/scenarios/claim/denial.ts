import { errorCode } from '../../../engine/rows.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, notGranted, shownBy } from '../../steps/answers.ts';
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
    stays: 'Polls after the first one are answered access_denied, too.',
    'no-way-back': 'The code of a denied attempt completes nothing.',
    reopened: 'A fresh attempt can be opened after a denial, and be approved.',
  },
  restsOn: { stays: 'denial.denied', 'no-way-back': 'denial.denied' },
  async run(judge, world) {
    const { client } = world;
    await mustCompleteClaims(world);
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    const poll = () => pollPatiently(world, claimToken);
    const other = await ClaimPageSession.open(world, claim, email);
    await decideClaim(world, { ...claim, email, decision: 'deny' });
    judge.table(await poll(), { denied: errorCode('access_denied') });
    judge.table(await poll(), { stays: errorCode('access_denied') });
    const typed = shownBy(await other.approve(claim.userCode));
    if (!judge.table(await poll(), { 'no-way-back': notGranted }, typed)) return;

    const started = await client.startClaim(claimToken, email);
    const fresh = readClaimBlock(started);
    judge.expect('reopened', fresh !== undefined, started);
    if (fresh === undefined) return;
    await (await ClaimPageSession.open(world, fresh, email)).approve(fresh.userCode);
    judge.table(await poll(), { reopened: granted }, { case: 'a poll after the approval' });
  },
});
