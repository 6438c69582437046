import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { isGranted, pollPatiently } from '../../steps/polls.ts';

export const denial = serviceScenario({
  id: 'denial',
  title: 'The user says no',
  checks: {
    denied: 'A poll after the denial is answered access_denied.',
    stays: 'It goes on being answered access_denied.',
    'no-way-back': 'The code of a denied attempt completes nothing any more.',
    reopened: 'A fresh attempt can be opened after a denial, and be approved.',
  },
  async run(judge, world) {
    const { client } = world;
    const { claim, claimToken, email } = await world.byEmail();
    const other = await ClaimPageSession.take(world, claim, email);
    await letClaim(world, { ...claim, email, decision: 'deny' });
    const denied = await pollPatiently(world, claimToken);
    judge.expect('denied', denied.errorCode === 'access_denied', denied);
    const still = await pollPatiently(world, claimToken);
    judge.expect('stays', still.errorCode === 'access_denied', still);
    const typed = await other.type(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const undone = !judge.expect('no-way-back', !isGranted(polled), polled, {
      exchange: typed.exchange,
    });
    if (undone) return;
    const started = await client.startClaim(claimToken, email);
    const fresh = readClaimBlock(started);
    if (!judge.expect('reopened', fresh !== undefined, started) || fresh === undefined) return;
    await (await ClaimPageSession.take(world, fresh, email)).type(fresh.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.expect('reopened', isGranted(claimed), claimed);
  },
});
