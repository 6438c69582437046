import { errorCode, refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { isPending, notGranted, notLimited, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { mustBePending, mustCompleteClaims } from '../../steps/controls.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollOpen } from '../../steps/polls.ts';

export const unknownClaims = serviceScenario({
  id: 'unknown-claims',
  title: 'A claim token opens its own registration, and an invented one none',
  checks: {
    'unknown-refused':
      'A poll with an invented claim token is refused, and not as authorization_pending or slow_down.',
    'no-query': 'What a database would take for a query is no claim token, and opens no claim.',
    'token-needed': 'A poll without a claim token is answered invalid_request.',
    'others-untouched': 'A completed claim completes no other registration of the same account.',
    'code-bound': 'A code completes the attempt that it was given for, and no other.',
  },
  waits: true,
  async run(judge, world) {
    const { client } = world;
    await mustCompleteClaims(world);
    const first = await openClaim(world);
    const second = await openClaim(world, first.email);
    await mustBePending(world, second.claimToken);
    const tampered = first.claimToken.slice(0, -5) + world.invented.token().slice(-5);
    for (const token of [tampered, world.invented.token(), `${first.claimToken}x`]) {
      const answer = notLimited(await client.poll(token));
      judge.table(answer, {
        'unknown-refused': { ok: answer.refused && !isPending(answer) },
      });
    }
    // As a member that is an object, or by the names that some readers of forms make one of. Each fits the own token alone.
    const own = first.claimToken;
    for (const token of [{ $eq: own }, { $gte: own, $lte: own }, `${own.slice(0, -4)}%`]) {
      const body = { claim_token: token, email: first.email };
      const answer = await client.postJson(client.endpoint('claimEndpoint'), body);
      judge.table(answer, { 'no-query': refused }, { case: shapeOf(token) });
    }
    for (const name of ['claim_token[$eq]', 'claim_token[$gte]']) {
      const grant = { grant_type: world.facts.claimGrant ?? '', [name]: own };
      const answer = notLimited(await client.token(grant));
      judge.table(answer, { 'no-query': { ok: !answer.ok && !isPending(answer) } }, { case: name });
    }
    const without = await client.token({ grant_type: world.facts.claimGrant ?? '' });
    judge.table(without, { 'token-needed': errorCode('invalid_request') });

    if (first.claim.verificationUri === second.claim.verificationUri) {
      judge.skip('code-bound', 'The link is the same for all: the code alone names the attempt.');
    } else if (first.claim.userCode !== second.claim.userCode) {
      const session = await ClaimPageSession.open(world, second.claim, first.email);
      const typed = shownBy(await session.approve(first.claim.userCode));
      for (const { claimToken } of [first, second]) {
        const polled = await pollOpen(world, claimToken);
        if (!judge.table(polled, { 'code-bound': notGranted }, typed)) return;
      }
    }
    const owner = await ClaimPageSession.open(world, first.claim, first.email);
    await owner.approve(first.claim.userCode);
    const other = await pollOpen(world, second.claimToken);
    judge.table(other, { 'others-untouched': notGranted });
  },
});

/** What a query looks like, without the token in it. */
function shapeOf(query: object | string): string {
  return typeof query === 'string'
    ? 'a pattern'
    : `an object with ${Object.keys(query).join(', ')}`;
}
