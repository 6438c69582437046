import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/runtime/index.ts';
import { ANSWER, Bench, ENDPOINT, failure, jwt, SERVICE } from './support/bench.ts';
import { brokenOff, json } from './support/fake-web.ts';

const START = '{"registration_id":"reg_1","identity_asser';
/** A service that trickles until the time limit. */
const trickled = () => brokenOff(START, { code: 'UND_ERR_BODY_TIMEOUT' });
const register = ({ agent }: Bench, more: object = {}) =>
  agent.register({ service: SERVICE, type: 'anonymous', ...more });

describe('an answer that began as a success and did not end', () => {
  it('was a registration that nobody knew of: its beginning is kept, and it is not made again', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, trickled);
    const error = await failure(register(bench));
    expect(error).toMatchObject({
      code: 'broken_off',
      kind: 'failed',
      retryable: false,
      next: { command: 'status' },
    });
    expect(error.message).toContain('did not end within the time limit');
    expect(error.message).toMatch(/The answer is kept as kept_[0-9a-f]{8}/);
    expect(error.message).not.toContain('reg_1');
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(kept).toMatchObject({ of: 'registration', truncated: true, status: 200 });
    expect(kept?.body.reveal()).toBe(START);

    expect((await failure(register(bench))).code).toBe('registered_not_understood');
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(1);
  });

  it('is not forgotten where a later try gets no answer at all', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, () => brokenOff(''), new TypeError('fetch failed'));
    expect((await failure(register(bench))).code).toBe('broken_off');
    expect(bench.web.sent(ENDPOINT.identity)).toHaveLength(3);
    expect((await bench.agent.status()).notUnderstood).toMatchObject([
      { of: 'registration', truncated: true },
    ]);
  });

  it('leaves nothing behind where the same request is answered in the end', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, () => brokenOff(START), json(ANSWER.anonymous()));
    expect((await register(bench)).status).toBe('registered');
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });

  it('is no registration where it began as a refusal', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, () =>
      brokenOff('{"error', { status: 400, code: 'UND_ERR_BODY_TIMEOUT' }),
    );
    expect(await failure(register(bench))).toMatchObject({ code: 'broken_off', kind: 'network' });
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });

  it('is kept of an ID-JAG that was given, too', async () => {
    const bench = new Bench();
    bench.web.on(ENDPOINT.identity, trickled);
    const assertion = new Secret(jwt({ aud: SERVICE, iss: 'https://idp.example' }));
    await failure(
      bench.agent.register({ service: SERVICE, type: 'identity_assertion', assertion }),
    );
    expect((await bench.agent.status()).notUnderstood).toMatchObject([
      { of: 'registration', type: 'identity_assertion' },
    ]);
  });

  it('is kept of a claim and of a token, until one is understood', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.claim, trickled).on(ENDPOINT.token, trickled);
    await failure(bench.agent.startClaim({ email: 'alice@example.com' }));
    expect(await failure(bench.agent.token({ renew: true }))).toMatchObject({
      code: 'broken_off',
      next: { command: 'status' },
    });
    expect((await bench.agent.status()).notUnderstood).toMatchObject([
      { of: 'claim', registrationId: 'reg_1' },
      { of: 'token', registrationId: 'reg_1' },
    ]);
    bench.web.on(ENDPOINT.token, json(ANSWER.token()));
    await bench.agent.token({ renew: true });
    expect((await bench.agent.status()).notUnderstood).toMatchObject([{ of: 'claim' }]);
  });

  it('is kept once of the polls of a claim, and dropped by the one that ends', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    const seen: number[] = [];
    bench.web.on(ENDPOINT.token, trickled, trickled, () => json(ANSWER.claimed()));
    const outcome = await bench.agent.waitForClaim({
      onEvent: async ({ type }) => {
        if (type === 'trouble') seen.push((await bench.store.read()).notUnderstood?.length ?? 0);
      },
    });
    expect(outcome.status).toBe('claimed');
    expect(seen).toEqual([1, 1]);
    expect((await bench.agent.status()).notUnderstood).toEqual([]);
  });
});
