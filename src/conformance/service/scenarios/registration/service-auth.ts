import { serviceScenario } from '../../service-scenario.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { letClaim } from '../../steps/decide-claim.ts';
import { isGranted, isPending, listOf, pollPatiently, scopesOf } from '../../steps/polls.ts';

export const serviceAuth = serviceScenario({
  id: 'service-auth',
  title: 'An agent registers with an email, and the account of that email completes the claim',
  checks: {
    registered: 'A service_auth registration is answered with a claim token and a claim.',
    'nothing-before': 'Before the claim it has nothing that can be exchanged.',
    pending: 'A poll before the user is done is answered authorization_pending.',
    claimed: 'After the user is done, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token of after the claim has the post-claim scope.',
    works: 'The delivered assertion is exchanged, and the delivered token works.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { client } = world;
    const email = world.freshEmail();
    const registered = await client.registerByEmail(email);
    judge.expect(
      'registered',
      registered.status === 200 &&
        registered.string('claim_token') !== undefined &&
        readClaimBlock(registered) !== undefined,
      registered,
    );
    const claimToken = world.must(registered, 'claim_token', 'a registration by email');
    const { userCode, verificationUri } = world.mustClaim(registered);
    // An assertion that comes early is no fault as long as it is worth nothing.
    for (const early of [registered.string('identity_assertion'), claimToken]) {
      if (early === undefined) continue;
      const exchanged = await client.exchange(early);
      judge.expect('nothing-before', !isGranted(exchanged), exchanged);
    }
    const pending = await client.poll(claimToken);
    judge.expect('pending', isPending(pending), pending);

    await letClaim(world, { verificationUri, userCode, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.expect(
      'claimed',
      isGranted(claimed) && claimed.string('identity_assertion') !== undefined,
      claimed,
    );
    const assertion = world.must(claimed, 'identity_assertion', 'a completed claim');
    const granted = scopesOf(claimed);
    const promised = listOf(registered, 'post_claim_scopes') ?? [];
    judge.expect(
      'post-claim-scope',
      granted === undefined || promised.every((scope) => granted.includes(scope)),
      claimed,
    );
    const exchanged = await client.exchange(assertion);
    judge.expect('works', isGranted(exchanged), exchanged);
    const token = claimed.string('access_token');
    if (token === undefined || world.facts.resource === undefined) return;
    const call = await client.call(token);
    judge.expect('works', call.status !== 401 && call.status !== 403, call);
  },
});
