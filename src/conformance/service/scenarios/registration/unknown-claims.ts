import { serviceScenario } from '../../service-scenario.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { notLimited } from '../../steps/not-rate-limited.ts';
import { isGranted, isPending, pollPatiently } from '../../steps/polls.ts';

export const unknownClaims = serviceScenario({
  id: 'unknown-claims',
  title: 'A claim token opens its own registration, and an invented one none',
  checks: {
    'unknown-refused': 'A poll with an invented claim token ends the polling.',
    'unknown-code': 'It is answered expired_token.',
    'token-needed': 'A poll without a claim token is answered invalid_request.',
    'others-untouched': 'A completed claim completes no other registration of the same account.',
    'code-bound': 'A code completes the attempt that it was given for, and no other.',
  },
  async run(judge, world) {
    const { client } = world;
    const first = await world.byEmail();
    const second = await world.byEmail(first.email);
    const invented = first.claimToken.slice(0, -5) + world.invented.token().slice(-5);
    for (const token of [invented, world.invented.token(), `${first.claimToken}x`]) {
      const answer = notLimited(await client.poll(token));
      judge.expect('unknown-refused', answer.refused && !isPending(answer), answer);
      judge.expect('unknown-code', answer.errorCode === 'expired_token', answer, { warn: true });
    }
    const without = await client.token({ grant_type: world.facts.claimGrant ?? '' });
    judge.expect('token-needed', without.errorCode === 'invalid_request', without);

    if (first.claim.verificationUri === second.claim.verificationUri) {
      judge.skip('code-bound', 'The link is the same for all: the code alone names the attempt.');
    } else if (first.claim.userCode !== second.claim.userCode) {
      const seat = await ClaimPageSession.take(world, second.claim, first.email);
      const typed = await seat.type(first.claim.userCode);
      for (const { claimToken } of [first, second]) {
        const polled = await pollPatiently(world, claimToken);
        judge.expect('code-bound', !isGranted(polled), polled, { exchange: typed.exchange });
        if (isGranted(polled)) return;
      }
    }
    await (await ClaimPageSession.take(world, first.claim, first.email)).type(first.claim.userCode);
    const other = await pollPatiently(world, second.claimToken);
    judge.expect('others-untouched', !isGranted(other), other);
  },
});
