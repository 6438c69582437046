import { MINUTE, SECOND } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { isGranted, needClaim, pollPatiently } from '../../steps/polls.ts';
import { readClaimBlock } from '../../steps/registration.ts';
import { windowLeft } from '../../steps/window-left.ts';

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
    judge.expect('still-open', started.status === 200, {
      expected: 'an attempt, a minute before the window ends',
      seen: started,
    });
    const claim = readClaimBlock(started);
    if (claim !== undefined) {
      judge.expect('cut-to-window', (claim.expiresIn ?? Number.NaN) <= MINUTE / SECOND, {
        expected: `expires_in of at most ${MINUTE / SECOND}`,
        seen: started,
      });
    }
    const seat = claim && (await ClaimPageSession.take(world, claim, email));
    await time.pass(MINUTE + SECOND);

    const late = await client.exchange(other.assertion);
    judge.expect('assertion-over', !isGranted(late), {
      expected: 'no token for a registration that is over',
      seen: late,
    });
    judge.expect('assertion-code', late.errorCode === 'invalid_grant', {
      expected: '400 invalid_grant',
      seen: late,
    });
    if (seat !== undefined && claim !== undefined) {
      const typed = await seat.type(claim.userCode);
      const after = await pollPatiently(world, claimToken);
      judge.expect('late-code', !isGranted(after), {
        expected: 'no claim after the window',
        seen: after,
        exchange: typed.exchange,
      });
    }
    const reopened = await client.startClaim(other.claimToken, email);
    judge.expect('no-fresh-attempt', reopened.refused, {
      expected: 'a refusal: the window is over',
      seen: reopened,
    });
    judge.expect('start-code', reopened.status === 410 && reopened.errorCode === 'claim_expired', {
      expected: '410 claim_expired',
      seen: reopened,
    });
    const polled = await pollPatiently(world, other.claimToken);
    judge.expect('poll-code', polled.errorCode === 'expired_token', {
      expected: '400 expired_token',
      seen: polled,
    });
    const token = exchanged.string('access_token');
    if (token === undefined) {
      return judge.skip('tokens-over', 'The assertion was over before the window.');
    }
    const call = await client.call(token);
    judge.expect('tokens-over', call.status === 401, {
      expected: '401: the registration that it was issued for is over',
      seen: call,
    });
  },
});
