import { errorCode, status } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-world.ts';
import { mustOpen } from '../../steps/controls.ts';
import { someAssertion } from '../../steps/new-registration.ts';

export const revocation = serviceScenario({
  id: 'revocation',
  title: 'An access token can be revoked',
  checks: {
    taken: 'A revocation is answered with 200.',
    'at-once': 'A revoked token is answered 401 at once.',
    unknown: 'The revocation of an unknown, malformed or revoked token is answered with 200.',
    hints: 'A wrong or unknown hint does not keep a token from being revoked.',
    exact: 'A text that a token only begins with, or fits as a pattern, revokes nothing.',
    missing: 'A request without a token is answered invalid_request.',
    repeated: 'A request with two tokens is answered invalid_request.',
    get: 'A GET is not answered 2xx, and the token stays valid.',
    'assertion-kind': 'An identity_assertion is answered unsupported_token_type.',
  },
  resting: {
    'revocation.taken': ['at-once', 'unknown', 'missing', 'repeated'],
    'revocation.at-once': ['hints', 'exact', 'get'],
    'bearer-errors.altered': ['exact'],
  },
  async run(judge, world) {
    const { client } = world;
    const url = client.endpoint('revocationEndpoint');
    const assertion = await someAssertion(world);
    const fresh = () => world.accessToken(assertion);
    const [first, second] = [await fresh(), await fresh()];
    const valid = (await mustOpen(world, first)).status;

    const got = await world.send(
      `${url}?token=${encodeURIComponent(first)}&callback=${world.invented.word()}`,
    );
    const afterGet = await client.call(first);
    const isGetIdle = !got.ok && afterGet.status === valid;
    if (!isGetIdle) judge.expect('get', false, got);

    const revoked = await client.revoke(first);
    judge.table(revoked, { taken: status(200) });
    const dead = await client.call(first);
    const isRevoked = judge.table(dead, { 'at-once': status(401) });
    if (isRevoked) {
      if (isGetIdle) judge.expect('get', true, got);
    } else {
      // Where nothing is revoked, nothing was left alone either.
      judge.untestable('get', 'No token was revoked.');
    }

    for (const token of [first, world.invented.token(), world.invented.name(), '%00']) {
      const answer = await client.revoke(token);
      judge.table(answer, { unknown: status(200) });
    }
    for (const hint of ['refresh_token', world.invented.member(), 'access_token']) {
      const token = await fresh();
      await client.revoke(token, { token_type_hint: hint });
      const called = await client.call(token);
      judge.table(called, { hints: status(401) }, { case: hint });
    }
    const kept = await fresh();
    for (const text of [kept.slice(0, -4), `${kept.slice(0, -4)}%`, `${kept.slice(0, -4)}*`]) {
      await client.revoke(text);
    }
    const alive = await client.call(kept);
    judge.table(alive, { exact: status(valid) });
    const missing = await client.postForm(url, { token_type_hint: 'access_token' });
    judge.table(missing, { missing: errorCode('invalid_request') });
    const twice = await client.postForm(url, [
      ['token', second],
      ['token', first],
    ]);
    judge.table(twice, { repeated: errorCode('invalid_request') });
    const kind = await client.revoke(assertion);
    judge.table(kind, { 'assertion-kind': errorCode('unsupported_token_type') });
  },
});
