import { SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { errorCode, refused, status } from '../../../engine/rows.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-world.ts';
import { error, granted, notGranted, pending, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { KeptOut, mustCompleteClaims } from '../../steps/controls.ts';
import { openClaim, tryToClaim } from '../../steps/open-claim.ts';
import { claimWindow, needClaim, pollPatiently } from '../../steps/polls.ts';

export const attemptExpiry = serviceScenario({
  id: 'attempt-expiry',
  title: 'The code comes too late, and the agent opens a fresh attempt',
  checks: {
    'not-early': 'An attempt stays open until its expires_in has passed.',
    expired: 'A poll of an expired attempt is answered 400 expired_token.',
    'late-code': 'A code that is typed after its attempt has expired completes nothing.',
    reopened: 'The claim endpoint opens a fresh attempt, with a new code and link.',
    claimed: 'The fresh attempt completes the claim.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { client, time } = world;
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    if (claim.expiresIn === undefined) {
      throw new NotApplicable('The claim does not say in expires_in how long it lasts.');
    }
    const end = time.now() + claim.expiresIn * SECOND;
    const kept = new KeptOut(judge);
    const session = await ClaimPageSession.open(world, claim, email);
    const margin = Math.min(10, claim.expiresIn / 4);
    await time.passTo(end - margin * SECOND);
    const early = await client.poll(claimToken);
    // Others may have kept the suite until it was too late.
    if (time.now() < end - SECOND) judge.table(early, { 'not-early': pending });
    else judge.untestable('not-early', 'The attempt had ended before the suite could poll again.');
    await time.passTo(end + 2 * SECOND);

    const late = await pollPatiently(world, claimToken);
    judge.table(late, { expired: error(400, 'expired_token') });
    const typed = shownBy(await session.approve(claim.userCode));
    const polled = await pollPatiently(world, claimToken);
    const before = { ...typed, case: 'on a page that was opened before' };
    if (!kept.tried('late-code', polled, before)) return;
    const again = await tryToClaim(world, { ...claim, claimToken }, email);
    const after = { case: 'at the link, opened again' };
    if (!kept.tried('late-code', again, after)) return;

    const started = await client.startClaim(claimToken, email);
    const fresh = readClaimBlock(started);
    const isFresh =
      fresh !== undefined &&
      (fresh.verificationUri !== claim.verificationUri || fresh.userCode !== claim.userCode);
    judge.expect('reopened', isFresh, started);
    if (fresh === undefined) return;
    const first = await client.poll(claimToken);
    judge.table(first, { reopened: pending }, { case: 'a poll of the fresh attempt' });
    await (await ClaimPageSession.open(world, fresh, email)).approve(fresh.userCode);
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { claimed: granted });
    kept.end(claimed);
  },
});

export const windowExpiry = serviceScenario({
  id: 'window-expiry',
  title: 'The outer window ends, and nobody has claimed',
  checks: {
    'still-open': 'A minute before the end of the window a claim can still be started.',
    'assertion-over': 'After the window the assertion gives no more tokens.',
    'assertion-code': 'After the window the assertion is answered invalid_grant.',
    'no-fresh-attempt': 'After the window no attempt is opened.',
    'late-code': 'After the window the code of an open attempt completes nothing.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    needClaim(world);
    const { client, time } = world;
    const { answer, claimToken } = await world.anonymous();
    // The first one may be claimed by a code that comes too late: the rest is judged by another.
    const other = await world.anonymous();
    await mustCompleteClaims(world);
    const { end, nearly } = claimWindow(answer, world);
    await time.passTo(nearly);
    const email = world.userEmail();
    const started = await client.startClaim(claimToken, email);
    if (time.now() < end) judge.table(started, { 'still-open': status(200) });
    const claim = readClaimBlock(started);
    const session = claim && (await ClaimPageSession.open(world, claim, email));
    await time.passTo(Math.max(end, claimWindow(other.answer, world).end) + SECOND);

    judge.table(await client.exchange(other.assertion), {
      'assertion-over': notGranted,
      'assertion-code': errorCode('invalid_grant'),
    });
    if (session !== undefined && claim !== undefined) {
      const typed = shownBy(await session.approve(claim.userCode));
      const polled = await pollPatiently(world, claimToken);
      judge.table(polled, { 'late-code': notGranted }, typed);
      // The session of that page may have ended meanwhile.
      const again = await tryToClaim(world, { ...claim, claimToken }, email);
      judge.table(again, { 'late-code': notGranted }, { case: 'at the link, opened again' });
    }
    judge.table(await client.startClaim(other.claimToken, email), {
      'no-fresh-attempt': refused,
    });
  },
});
