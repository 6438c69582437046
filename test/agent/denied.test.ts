import { describe, expect, it } from 'vitest';
import { ANSWER, Bench, ENDPOINT, failure, later, pending, refusal } from './support/bench.ts';
import { json } from './support/fake-web.ts';

const STATUS = { command: 'status', args: [], needs: [] };

/** Registered anonymously; alice was asked to claim it, and this came of it. */
async function asked(
  status: 'denied' | 'attempt_expired' | 'pending',
  over: object = {},
): Promise<Bench> {
  const bench = new Bench();
  await bench.anonymous(over);
  bench.web.on(ENDPOINT.claim, json(ANSWER.attempt()));
  await bench.agent.startClaim({ email: 'alice@example.com' });
  const codes = {
    denied: 'access_denied',
    attempt_expired: 'expired_token',
    pending: 'authorization_pending',
  };
  bench.web.on(ENDPOINT.token, refusal(codes[status]));
  expect((await bench.agent.waitForClaim({ timeout: 6_000 })).status).toBe(status);
  return bench;
}

/** As a service answers a call that needs more than the token has. */
function tooNarrow(): Response {
  const needs = 'Bearer error="insufficient_scope", scope="api.write"';
  return json({ error: 'insufficient_scope' }, 403, { 'www-authenticate': needs });
}

describe('a denial was told as attempt_expired, with a step that asks the user again', () => {
  it.each(['a wait was told', 'the request is told'])(
    '%s that the user denied the claim: that is why there is no token',
    async (who) => {
      const bench = new Bench();
      await bench.serviceAuth();
      bench.web.on(ENDPOINT.token, refusal('access_denied'));
      if (who === 'a wait was told') await bench.agent.waitForClaim();
      for (const ask of [
        () => bench.agent.token(),
        () => bench.another().call('/api/resource'),
        () => bench.another().token({ check: true }),
      ]) {
        const error = await failure(ask());
        expect(error).toMatchObject({ code: 'access_denied', kind: 'refused', next: STATUS });
        expect(error.message).toBe('The user denied the claim, so there is no token.');
        expect(error.retryable).toBe(false);
      }
      expect(bench.web.sent(ENDPOINT.claim)).toEqual([]);
    },
  );

  it('an expired code still leads to another one', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    bench.web.on(ENDPOINT.token, refusal('expired_token'));
    expect(await failure(bench.agent.token())).toMatchObject({
      code: 'attempt_expired',
      next: { command: 'claim', args: ['--email', 'alice@example.com'] },
    });
  });

  it('a call that needs more scope tells of the denial, and does not lead to a claim', async () => {
    const bench = await asked('denied');
    bench.web.on(ENDPOINT.resource, tooNarrow());
    const error = await failure(bench.another().call('/api/resource'));
    expect(error).toMatchObject({ code: 'insufficient_scope', kind: 'refused', next: STATUS });
    expect(error.message).toContain('Its user denied the claim that could add scopes.');
    expect(error.hint).toContain('Ask nobody again.');
  });

  it('renewed on the word of the user, the claim is open again', async () => {
    const bench = await asked('denied');
    expect((await bench.agent.startClaim({ renew: true })).status).toBe('open');
    bench.web.on(ENDPOINT.resource, tooNarrow());
    expect(await failure(bench.agent.call('/api/resource'))).toMatchObject({
      code: 'insufficient_scope',
      next: { command: 'claim', args: ['--email', 'alice@example.com'] },
    });
  });
});

describe('a claim that is all that is left was told as the end of the registration', () => {
  it.each([
    ['denied', 'access_denied'],
    ['attempt_expired', 'attempt_expired'],
    ['pending', 'claim_pending'],
  ] as const)('%s, after the assertion has expired: %s', async (status, code) => {
    const bench = await asked(status, { assertion_expires: later(60) });
    bench.clock.advance(61 * 60_000);
    if (status === 'pending') bench.web.on(ENDPOINT.token, pending());
    expect((await failure(bench.agent.token())).code).toBe(code);
    const [service] = (await bench.agent.status()).services;
    expect(service?.registrations[0]?.state).not.toBe('revoked');
  });
});
