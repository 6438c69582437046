import { serviceScenario } from '../../service-scenario.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const revocation = serviceScenario({
  id: 'revocation',
  title: 'An access token can be given back',
  checks: {
    taken: 'A revocation is answered with 200.',
    'at-once': 'A revoked token is refused at once.',
    'others-live': 'Other tokens of the registration stay good.',
    'assertion-lives': 'The assertion stays good.',
    unknown: 'Unknown, malformed and revoked tokens are answered with 200 as well.',
    hints: 'A wrong or unknown hint does not keep a token from being revoked.',
    'no-body': 'The answer has no body.',
    missing: 'A request without a token is answered invalid_request.',
    repeated: 'A request with two tokens is answered invalid_request.',
    get: 'Nothing is revoked by GET.',
    'assertion-kind': 'An identity_assertion is answered unsupported_token_type.',
  },
  async run(judge, world) {
    const { client } = world;
    const url = client.endpoint('revocationEndpoint');
    const assertion = await someAssertion(world);
    const fresh = () => world.accessToken(assertion);
    const [first, second] = [await fresh(), await fresh()];
    const good = (await client.call(first)).status;

    const got = await world.send(
      `${url}?token=${encodeURIComponent(first)}&callback=${world.invented.word()}`,
    );
    const afterGet = await client.call(first);
    judge.expect('get', !got.ok && afterGet.status === good, got);

    const revoked = await client.revoke(first);
    judge.expect('taken', revoked.status === 200, revoked);
    judge.expect('no-body', revoked.text === '', revoked);
    const dead = await client.call(first);
    judge.expect('at-once', dead.status === 401, dead);
    const other = await client.call(second);
    judge.expect('others-live', other.status === good, other, {
      expected: `${good} for another token of the registration`,
    });
    const again = await client.exchange(assertion);
    judge.expect('assertion-lives', again.status === 200, again);
    if (again.status !== 200) return;

    for (const token of [first, world.invented.token(), world.invented.name(), '%00']) {
      const answer = await client.revoke(token);
      judge.expect('unknown', answer.status === 200, answer);
    }
    for (const hint of ['refresh_token', world.invented.member(), 'access_token']) {
      const token = await fresh();
      await client.revoke(token, { token_type_hint: hint });
      const called = await client.call(token);
      judge.expect('hints', called.status === 401, called, {
        expected: `401 after a revocation with the hint ${hint}`,
      });
    }
    const missing = await client.postForm(url, { token_type_hint: 'access_token' });
    judge.expect('missing', missing.errorCode === 'invalid_request', missing);
    const twice = await client.postForm(url, [
      ['token', second],
      ['token', first],
    ]);
    judge.expect('repeated', twice.errorCode === 'invalid_request', twice);
    const kind = await client.revoke(assertion);
    judge.expect('assertion-kind', kind.errorCode === 'unsupported_token_type', kind);
  },
});
