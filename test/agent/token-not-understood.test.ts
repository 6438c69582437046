import { describe, expect, it } from 'vitest';
import { ANSWER, Bench, ENDPOINT, failure, SERVICE } from './support/bench.ts';
import { json } from './support/fake-web.ts';

describe('a first token that is not understood', () => {
  it.each([
    ['DPoP', { token_type: 'DPoP' }],
    ['seconds as text', { expires_in: '3600' }],
    ['an empty token', { access_token: '' }],
  ])('was said not to have come, and asked for again: %s', async (_what, over) => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
    bench.web.on(ENDPOINT.token, json(ANSWER.token(over)));
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error.next).toMatchObject({ command: 'status' });
    expect(error.message).toMatch(
      /^Registered as reg_1, and stored, but its token cannot be used: .*The answer is kept as kept_/,
    );
    expect(error.message).not.toMatch(/but without a token|with a access_token/);
    expect(error.hint).toBe('Do not register again.');
  });

  it('that is refused is asked for again', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, json(ANSWER.anonymous()));
    bench.web.on(ENDPOINT.token, json({ error: 'invalid_scope' }, 400));
    const error = await failure(bench.agent.register({ service: SERVICE, type: 'anonymous' }));
    expect(error.message).toContain('but without a token');
    expect(error.next).toMatchObject({ command: 'token' });
  });
});
