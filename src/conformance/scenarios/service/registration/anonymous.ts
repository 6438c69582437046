import { readClaimBlock } from '../../../service/registration.ts';
import { serviceScenario } from '../service-scenario.ts';

export const anonymous = serviceScenario({
  id: 'anonymous',
  title: 'An agent registers without a user, works, and its user claims the registration',
  checks: {
    registered: 'An anonymous registration is answered with an assertion and a claim token.',
    exchanged: 'Its assertion is exchanged for an access token.',
    'claim-started': 'Claim token and email open a claim attempt with a code and an address.',
    pending: 'A poll before the user is done is answered authorization_pending.',
    claimed: 'After the user is done, a poll delivers an access token and an assertion.',
    'pre-claim-token-dead': 'Access tokens of before the claim are good no longer.',
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client } = world;
    const registered = await client.registerAnonymous();
    judge.expect(
      'registered',
      registered.status === 200 &&
        registered.string('identity_assertion') !== undefined &&
        registered.string('claim_token') !== undefined,
      { expected: '200 with identity_assertion and claim_token', seen: registered },
    );
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const claimToken = world.must(registered, 'claim_token', 'an anonymous registration');

    const exchanged = await client.exchange(assertion);
    judge.expect(
      'exchanged',
      exchanged.status === 200 && exchanged.string('access_token') !== undefined,
      { expected: '200 with access_token', seen: exchanged },
    );
    const before = exchanged.string('access_token');

    const email = world.freshEmail();
    const started = await client.startClaim(claimToken, email);
    judge.expect('claim-started', started.status === 200 && readClaimBlock(started) !== undefined, {
      expected: '200 with user_code and verification_uri',
      seen: started,
    });
    const { userCode, verificationUri } = world.mustClaim(started);
    const pending = await client.poll(claimToken);
    judge.expect('pending', pending.errorCode === 'authorization_pending', {
      expected: 'authorization_pending while the user has not acted',
      seen: pending,
    });

    await world.person.claim({ verificationUri, userCode, email, decision: 'approve' });
    await world.time.pass(5_000);
    const claimed = await client.poll(claimToken);
    judge.expect(
      'claimed',
      claimed.status === 200 &&
        claimed.string('access_token') !== undefined &&
        claimed.string('identity_assertion') !== undefined,
      { expected: '200 with access_token and identity_assertion', seen: claimed },
    );
    if (before === undefined) return;
    const late = await client.call(before);
    judge.expect('pre-claim-token-dead', late.status === 401, {
      expected: '401 for the token of before the claim',
      seen: late,
    });
  },
});
