import { SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { isGranted, isPending, pollPatiently } from '../../steps/polls.ts';
import { typeIfAsked } from '../../steps/type-if-asked.ts';

export const attemptExpiry = serviceScenario({
  id: 'attempt-expiry',
  title: 'The code comes too late, and the agent opens a fresh attempt',
  checks: {
    'not-early': 'An attempt lives as long as it says.',
    expired: 'A poll after that is answered 400 expired_token.',
    'late-code': 'A code typed after that completes nothing, on a page opened before.',
    reopened: 'The claim endpoint opens a fresh attempt, with a new code and link.',
    claimed: 'The fresh attempt completes the claim.',
  },
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken, email } = await world.byEmail();
    if (claim.expiresIn === undefined) {
      throw new NotApplicable('The claim does not say in expires_in how long it lives.');
    }
    const seat = await ClaimPageSession.take(world, claim, email);
    const margin = Math.min(10, claim.expiresIn / 4);
    await time.pass(Math.floor(claim.expiresIn - margin) * SECOND);
    const before = await client.poll(claimToken);
    judge.expect('not-early', isPending(before), before, {
      expected: `authorization_pending until ${claim.expiresIn} s have passed`,
    });
    await time.pass(Math.ceil(margin + 1) * SECOND);

    const late = await pollPatiently(world, claimToken);
    judge.expect('expired', late.status === 400 && late.errorCode === 'expired_token', late, {
      expected: `400 expired_token after ${claim.expiresIn} s`,
    });
    const typed = await seat.type(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const taken = !judge.expect('late-code', !isGranted(polled), polled, {
      exchange: typed.exchange,
    });
    if (taken) return;
    const again = await typeIfAsked(world, { ...claim, claimToken }, email);
    judge.expect('late-code', !isGranted(again), again);
    if (isGranted(again)) return;

    const started = await client.startClaim(claimToken, email);
    const fresh = readClaimBlock(started);
    const isFresh =
      fresh !== undefined &&
      (fresh.verificationUri !== claim.verificationUri || fresh.userCode !== claim.userCode);
    judge.expect('reopened', isFresh, started);
    if (fresh === undefined) return;
    const pending = await client.poll(claimToken);
    judge.expect('reopened', isPending(pending), pending);
    await (await ClaimPageSession.take(world, fresh, email)).type(fresh.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.expect('claimed', isGranted(claimed), claimed);
  },
});
