import { serviceScenario } from '../../service-scenario.ts';
import {
  claimOpened,
  collected,
  granted,
  notGranted,
  pending,
  promisedScopes,
} from '../../steps/answers.ts';
import { decideClaim } from '../../steps/decide-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';

export const serviceAuth = serviceScenario({
  id: 'service-auth',
  title: 'An agent registers with an email, and the account of that email completes the claim',
  checks: {
    registered:
      'A service_auth registration is answered 200 with a claim token and a claim with code and link.',
    'nothing-before':
      'Before the claim a service_auth registration has nothing that can be exchanged.',
    pending: 'A poll before the user has decided is answered authorization_pending.',
    claimed: 'After the user has approved, a poll delivers an access token and an assertion.',
    'post-claim-scope': 'The token from the claim has every scope of post_claim_scopes.',
    works: 'The delivered assertion can be exchanged, and the delivered token works.',
  },
  async run(judge, world) {
    world.needType('service_auth');
    const { client } = world;
    const email = world.userEmail();
    const registered = await client.registerByEmail(email);
    judge.table(registered, {
      registered: [claimOpened, { ok: registered.string('claim_token') !== undefined }],
    });
    const claimToken = world.must(registered, 'claim_token', 'a registration by email');
    const claim = world.mustClaim(registered);
    // An assertion that comes early is no fault as long as it is worth nothing.
    for (const early of [registered.string('identity_assertion'), claimToken]) {
      if (early === undefined) continue;
      judge.table(await client.exchange(early), { 'nothing-before': notGranted });
    }
    judge.table(await client.poll(claimToken), { pending });

    await decideClaim(world, { ...claim, email, decision: 'approve' });
    const claimed = await pollPatiently(world, claimToken);
    judge.table(claimed, { claimed: collected });
    const assertion = world.must(claimed, 'identity_assertion', 'a completed claim');
    judge.table(claimed, { 'post-claim-scope': promisedScopes(registered) });
    judge.table(await client.exchange(assertion), { works: granted });
    const token = claimed.string('access_token');
    if (token === undefined || world.facts.resource === undefined) return;
    const called = await client.call(token);
    judge.expect('works', called.status !== 401 && called.status !== 403, called);
  },
});
