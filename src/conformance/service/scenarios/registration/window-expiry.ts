import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { windowLeft } from '../../steps/claim-window.ts';
import { isGranted, needClaim, pollPatiently } from '../../steps/polls.ts';

export const windowExpiry = serviceScenario({
  id: 'window-expiry',
  title: 'The outer window ends, and nobody has claimed',
  checks: {
    'still-open': 'Shortly before its end a claim can still be started.',
    'cut-to-window': 'An attempt that is opened late ends with the window.',
    'assertion-over': 'After it the assertion gives no more tokens.',
    'assertion-code': 'It is answered invalid_grant.',
    'tokens-over': 'Access tokens do not outlive the registration.',
    'no-fresh-attempt': 'No attempt is opened any more.',
    'start-code': 'That is answered 410 claim_expired.',
    'late-code': 'The code of an attempt that was open completes nothing.',
    'poll-code': 'A poll is answered expired_token.',
  },
  async run(judge, world) {
    needClaim(world);
    const { client, time } = world;
    const { answer, claimToken } = await world.anonymous();
    // Claimed by a code that comes too late, the first would be of no use for the rest.
    const other = await world.anonymous();
    await time.pass(windowLeft(answer, world) - MINUTE);
    const exchanged = await client.exchange(other.assertion);
    const email = world.freshEmail();
    const started = await client.startClaim(claimToken, email);
    judge.expect('still-open', started.status === 200, started);
    const claim = readClaimBlock(started);
    if (claim !== undefined) {
      judge.expect('cut-to-window', (claim.expiresIn ?? Number.NaN) <= MINUTE / SECOND, started, {
        expected: `expires_in of at most ${MINUTE / SECOND}`,
      });
    }
    const seat = claim && (await ClaimPageSession.take(world, claim, email));
    await time.pass(MINUTE + SECOND);

    const late = await client.exchange(other.assertion);
    judge.expect('assertion-over', !isGranted(late), late);
    judge.expect('assertion-code', late.errorCode === 'invalid_grant', late);
    if (seat !== undefined && claim !== undefined) {
      const typed = await seat.type(claim.userCode);
      const after = await pollPatiently(world, claimToken);
      judge.expect('late-code', !isGranted(after), after, { exchange: typed.exchange });
    }
    const reopened = await client.startClaim(other.claimToken, email);
    judge.expect('no-fresh-attempt', reopened.refused, reopened);
    judge.expect(
      'start-code',
      reopened.status === 410 && reopened.errorCode === 'claim_expired',
      reopened,
    );
    const polled = await pollPatiently(world, other.claimToken);
    judge.expect('poll-code', polled.errorCode === 'expired_token', polled);
    const token = exchanged.string('access_token');
    if (token === undefined) {
      return judge.skip('tokens-over', 'The assertion was over before the window.');
    }
    const call = await client.call(token);
    judge.expect('tokens-over', call.status === 401, call);
  },
});
