import type { Answer } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import {
  isGranted,
  isPending,
  listOf,
  needClaim,
  pollPatiently,
  scopesOf,
} from '../../steps/polls.ts';

export const anonymous = serviceScenario({
  id: 'anonymous',
  title: 'An agent registers without a user, works, and its user claims the registration',
  checks: {
    registered: 'An anonymous registration is answered with an assertion and a claim token.',
    exchanged: 'Its assertion is exchanged for an access token.',
    'pre-claim-scope': 'A token of before the claim has the pre-claim scope and no other.',
    'no-escalation': 'Before the claim no request gets a scope of after it.',
    unstarted: 'A poll before any claim was started is answered authorization_pending.',
    'claim-started': 'Claim token and email open a claim attempt with a code and an address.',
    'scope-in-flight': 'While a claim is under way, the assertion still gives the pre-claim scope.',
    pending: 'A poll before the user is done is answered authorization_pending.',
    claimed: 'After the user is done, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token of after the claim has the post-claim scope.',
    'second-assertion':
      'The claim brings another assertion than the first, and it can be exchanged.',
    versions: 'The assertions say version 1 before the claim and 2 after it.',
    'first-assertion-powerless': 'The first assertion gives nothing of the post-claim scope.',
    'first-assertion-refused': 'The first assertion is answered invalid_grant after the claim.',
    'pre-claim-token-dead': 'Access tokens of before the claim are good no longer.',
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client } = world;
    const registered = await register();
    const first = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const exchanged = await client.exchange(first);
    judge.expect('exchanged', isGranted(exchanged), exchanged);
    const told = listOf(registered, 'pre_claim_scopes');
    const narrow = told ?? scopesOf(exchanged);
    needClaim(world);
    const claimToken = world.must(registered, 'claim_token', 'an anonymous registration');
    const { claim, email } = await startClaim();
    await judgeInFlight();
    await letClaim(world, { ...claim, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.expect(
      'claimed',
      isGranted(claimed) && claimed.string('identity_assertion') !== undefined,
      claimed,
    );
    judgeScopes();
    await judgeAssertions(world.must(claimed, 'identity_assertion', 'a completed claim'));
    const before = exchanged.string('access_token');
    if (before === undefined) return;
    const call = await client.call(before);
    judge.expect('pre-claim-token-dead', call.status === 401, call);

    async function register(): Promise<Answer> {
      const answer = await client.registerAnonymous();
      // Without a claim endpoint there is nothing that a claim token would be good for.
      const claimable = world.facts.claimEndpoint !== undefined;
      judge.expect(
        'registered',
        answer.status === 200 &&
          answer.string('identity_assertion') !== undefined &&
          (answer.string('claim_token') !== undefined || !claimable),
        answer,
      );
      return answer;
    }

    async function startClaim() {
      const unstarted = await client.poll(claimToken);
      judge.expect('unstarted', isPending(unstarted), unstarted);
      const whom = world.freshEmail();
      const started = await client.startClaim(claimToken, whom);
      const opened = started.status === 200 && readClaimBlock(started) !== undefined;
      judge.expect('claim-started', opened, started);
      return { claim: world.mustClaim(started), email: whom };
    }

    async function judgeInFlight(): Promise<void> {
      const inFlight = await client.exchange(first);
      judge.expect('scope-in-flight', isGranted(inFlight) && isNarrow(inFlight), inFlight, {
        expected: `an access token with no other scope than ${narrow?.join(' ') ?? 'before'}`,
      });
      const pending = await client.poll(claimToken);
      judge.expect('pending', isPending(pending), pending);
      for (const scope of wider(world.facts, registered, narrow)) {
        const asked = await client.exchange(first, { scope });
        const got = isGranted(asked) && (scopesOf(asked) ?? [scope]).includes(scope);
        judge.expect('no-escalation', !got, asked, {
          expected: `no token with the scope ${scope} before the claim`,
        });
      }
      judge.skip('no-escalation', 'The service names no scope that only a claim brings.');
    }

    function judgeScopes(): void {
      const [less, more] = [scopesOf(exchanged), scopesOf(claimed)];
      const promised = listOf(registered, 'post_claim_scopes') ?? [];
      const kept = more === undefined || promised.every((scope) => more.includes(scope));
      judge.expect('post-claim-scope', kept, claimed);
      if (less === undefined) {
        judge.skip('pre-claim-scope', 'The service does not say what scope it granted.');
        return;
      }
      if (told !== undefined) {
        judge.expect('pre-claim-scope', isNarrow(exchanged), exchanged, {
          expected: `no other scope than ${told.join(' ')}`,
        });
      }
      // A token cannot be the measure of itself: what it lacks of the scope after the claim is.
      const full = more ?? listOf(registered, 'post_claim_scopes') ?? supportedScopes(world.facts);
      if (full.length === 0) {
        judge.skip('pre-claim-scope', 'The service does not say what scope a claim brings.');
        return;
      }
      const grew = full.some((scope) => !less.includes(scope));
      judge.expect('pre-claim-scope', grew, `${less.join(' ')} before and after`, { warn: true });
    }

    async function judgeAssertions(second: string): Promise<void> {
      const again = await client.exchange(second);
      judge.expect('second-assertion', second !== first && isGranted(again), again);
      const [before, after] = [first, second].map((text) => openJwt(text)?.claims['ver']);
      judge.expect(
        'versions',
        before === 1 && after === 2,
        `\`ver\` ${JSON.stringify(before)} and ${JSON.stringify(after)}`,
      );
      const late = await client.exchange(first);
      judge.expect('first-assertion-powerless', !isGranted(late) || isNarrow(late), late);
      judge.expect('first-assertion-refused', late.errorCode === 'invalid_grant', late);
    }

    function isNarrow(answer: Answer): boolean {
      return (scopesOf(answer) ?? []).every((scope) => narrow?.includes(scope) ?? true);
    }
  },
});

/** Scopes that only a claim brings, as far as the service tells. */
function wider(
  facts: { readonly metadata: Readonly<Record<string, unknown>> },
  registered: Answer,
  narrow: readonly string[] | undefined,
): readonly string[] {
  const all = listOf(registered, 'post_claim_scopes') ?? supportedScopes(facts);
  return narrow === undefined ? [] : all.filter((scope) => !narrow.includes(scope));
}

function supportedScopes(facts: {
  readonly metadata: Readonly<Record<string, unknown>>;
}): readonly string[] {
  const supported = facts.metadata['scopes_supported'];
  return Array.isArray(supported) ? supported.filter((scope) => typeof scope === 'string') : [];
}
