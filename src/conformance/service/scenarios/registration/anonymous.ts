import { errorCode, status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  claimOpened,
  collected,
  granted,
  isGranted,
  listOf,
  pending,
  promisedScopes,
  scopesOf,
  supportedScopes,
} from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { needClaim, pollPatiently } from '../../steps/polls.ts';

export const anonymous = serviceScenario({
  id: 'anonymous',
  title: 'An agent registers without a user, works, and its user claims the registration',
  checks: {
    registered: 'An anonymous registration is answered 200 with an assertion and a claim token.',
    exchanged: 'Its assertion is exchanged for an access token.',
    'pre-claim-scope': 'A token from before the claim has the pre-claim scope and no other.',
    'no-escalation': 'Before the claim no exchange gives a scope that only a claim brings.',
    unstarted: 'A poll before any claim was started is answered authorization_pending.',
    'claim-started': 'Claim token and email open a claim attempt with a code and a link.',
    'scope-in-flight': 'While a claim is under way, the assertion still gives the pre-claim scope.',
    pending: 'A poll before the user has decided is answered authorization_pending.',
    claimed: 'After the user has approved, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token from the claim has every scope of post_claim_scopes.',
    'second-assertion':
      'The claim brings another assertion than the first, and it can be exchanged.',
    versions: 'The ver claim is 1 in the first assertion and 2 in the one from the claim.',
    'first-assertion-powerless': 'After the claim the first assertion gives no post-claim scope.',
    'first-assertion-refused': 'After the claim the first assertion is answered invalid_grant.',
    'pre-claim-token-dead': 'After the claim the access tokens from before it are answered 401.',
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client, facts } = world;
    const registered = await client.registerAnonymous();
    // Without a claim endpoint a claim token would be of no use.
    const claimable = facts.claimEndpoint !== undefined;
    judge.table(registered, {
      registered: {
        ok:
          registered.status === 200 &&
          registered.string('identity_assertion') !== undefined &&
          (registered.string('claim_token') !== undefined || !claimable),
      },
    });
    const first = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const exchanged = await client.exchange(first);
    judge.table(exchanged, { exchanged: granted });
    needClaim(world);
    const claimToken = world.must(registered, 'claim_token', 'an anonymous registration');
    const declared = listOf(registered, 'pre_claim_scopes');
    const preClaim = declared ?? scopesOf(exchanged);
    const isPreClaim = (answer: Answer) =>
      (scopesOf(answer) ?? []).every((scope) => preClaim?.includes(scope) ?? true);

    judge.table(await client.poll(claimToken), { unstarted: pending });
    const email = world.freshEmail();
    const started = await client.startClaim(claimToken, email);
    judge.table(started, { 'claim-started': claimOpened });
    const claim = world.mustClaim(started);

    const inFlight = await client.exchange(first);
    judge.table(inFlight, {
      'scope-in-flight': { ok: isGranted(inFlight) && isPreClaim(inFlight) },
    });
    judge.table(await client.poll(claimToken), { pending });
    await askForMore();

    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { claimed: collected, 'post-claim-scope': promisedScopes(registered) });
    judgePreClaimScope(claimed);
    await judgeAssertions(world.must(claimed, 'identity_assertion', 'a completed claim'));
    const early = exchanged.string('access_token');
    if (early === undefined) return;
    judge.table(await client.call(early), { 'pre-claim-token-dead': status(401) });

    /** Names each scope that only a claim brings, before there is one. */
    async function askForMore(): Promise<void> {
      const all = listOf(registered, 'post_claim_scopes') ?? supportedScopes(facts.metadata);
      for (const scope of all) {
        if (preClaim?.includes(scope) ?? true) continue;
        const answer = await client.exchange(first, { scope });
        const got = isGranted(answer) && (scopesOf(answer) ?? [scope]).includes(scope);
        judge.expect('no-escalation', !got, answer, { case: `scope ${scope}` });
      }
      judge.skip('no-escalation', 'The service names no scope that only a claim brings.');
    }

    function judgePreClaimScope(after: Answer): void {
      const less = scopesOf(exchanged);
      if (less === undefined) {
        judge.skip('pre-claim-scope', 'The service does not say what scope it granted.');
        return;
      }
      if (declared) judge.expect('pre-claim-scope', isPreClaim(exchanged), exchanged);
      // A token is no measure of itself: it has to lack something that the claim brings.
      const more =
        scopesOf(after) ??
        listOf(registered, 'post_claim_scopes') ??
        supportedScopes(facts.metadata);
      if (more.length === 0) {
        judge.skip('pre-claim-scope', 'The service does not say what scope a claim brings.');
        return;
      }
      const grew = more.some((scope) => !less.includes(scope));
      judge.expect('pre-claim-scope', grew, `${less.join(' ')} before and after`, { warn: true });
    }

    async function judgeAssertions(second: string): Promise<void> {
      const again = await client.exchange(second);
      judge.expect('second-assertion', second !== first && isGranted(again), again);
      const versions = [first, second].map((assertion) => openJwt(assertion)?.claims['ver']);
      judge.expect(
        'versions',
        versions[0] === 1 && versions[1] === 2,
        `ver ${JSON.stringify(versions)}`,
      );
      const late = await client.exchange(first);
      judge.table(late, {
        'first-assertion-powerless': { ok: !isGranted(late) || isPreClaim(late) },
        'first-assertion-refused': errorCode('invalid_grant'),
      });
    }
  },
});
