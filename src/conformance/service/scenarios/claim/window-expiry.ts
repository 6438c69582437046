import { SECOND } from '../../../../protocol/index.ts';
import { errorCode, refused, status } from '../../../engine/rows.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { notGranted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { claimWindow } from '../../steps/claim-window.ts';
import { mustCompleteClaims } from '../../steps/controls.ts';
import { tryToClaim } from '../../steps/decide-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';

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
