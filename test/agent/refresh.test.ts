import { describe, expect, it } from 'vitest';
import { changeRegistration } from '../../src/agent/credentials/change-credentials.ts';
import { openCredentialFile } from '../../src/agent/credentials/credential-file.ts';
import { withLock } from '../../src/agent/credentials/process-lock.ts';
import type { CredentialStore, Registration } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import { systemSleep } from '../../src/runtime/system.ts';
import { testFolder } from '../support/test-folder.ts';
import { ANSWER, type Bench, ENDPOINT, failure, later, lost, refusal } from './support/bench.ts';
import { brokenOff, json, members, type Reply } from './support/fake-web.ts';
import { byEmail, CODE_ENDPOINT, NESTED } from './support/nested.ts';

const HOUR = 60 * 60_000;

/** An answer to a refresh token: the next assertion, and the next refresh token. */
const refreshed = (n: number, over: object = {}) => ({
  id: 'reg_2',
  type: 'refresh',
  identity: NESTED.identity({
    assertion: `assertion-r${n}`,
    expires_at: later(10 * 60),
    refresh_token: { value: `art_${n}`, expires_at: later(60 * 24 * 60) },
    ...over,
  }),
});

/** A claimed registration whose assertion and token have expired, and answers to what it asks then. */
function expired(...refreshes: [Reply, ...Reply[]]): Promise<Bench> {
  return expiredIn(undefined, ...refreshes);
}

async function expiredIn(
  store: CredentialStore | undefined,
  ...refreshes: [Reply, ...Reply[]]
): Promise<Bench> {
  const bench = await byEmail({}, store);
  bench.web.on(CODE_ENDPOINT, json(NESTED.claimed()));
  await bench.agent.submitCode({ code: new Secret('123456') });
  bench.clock.advance(2 * HOUR);
  bench.web
    .on(ENDPOINT.identity, ...refreshes)
    .on(ENDPOINT.token, json(ANSWER.token({ access_token: 'at_2' })));
  return bench;
}

function refreshes({ web }: Bench) {
  return web
    .sent(ENDPOINT.identity)
    .map(members)
    .filter(({ type }) => type === 'refresh');
}

describe('a refresh token', () => {
  it('gets the next assertion, once the last has expired', async () => {
    const bench = await expired(json(refreshed(2)));
    const { value, fresh } = await bench.agent.token();
    expect({ token: value.reveal(), fresh }).toEqual({ token: 'at_2', fresh: true });
    expect(refreshes(bench)).toEqual([{ type: 'refresh', refresh_token: 'art_1' }]);
    const exchanged = bench.web.sent(ENDPOINT.token).map(members).at(-1);
    expect(exchanged).toMatchObject({ assertion: 'assertion-r2' });
    const { assertion, refresh } = await bench.stored();
    expect(assertion?.value.reveal()).toBe('assertion-r2');
    expect(refresh).toMatchObject({ expiresAt: Date.parse(later(60 * 24 * 60)) });
    expect(refresh?.value.reveal()).toBe('art_2');
  });

  it('is not used where the assertion is good', async () => {
    const bench = await expired(json(refreshed(2)));
    bench.clock.advance(-HOUR - 30 * 60_000);
    await bench.agent.token({ renew: true });
    expect(refreshes(bench)).toEqual([]);
  });

  it('is used where the assertion is refused, and each one once', async () => {
    const bench = await expired(json(refreshed(2)), json(refreshed(3)));
    bench.web.on(
      ENDPOINT.token,
      json(ANSWER.token()),
      refusal('invalid_grant'),
      json(ANSWER.token({ access_token: 'at_3' })),
    );
    await bench.agent.token();
    expect((await bench.agent.token({ renew: true })).value.reveal()).toBe('at_3');
    expect(refreshes(bench).map((sent) => sent['refresh_token'])).toEqual(['art_1', 'art_2']);
  });

  it('comes to `register` with `reuse` too: nothing is registered', async () => {
    const bench = await expired(json(refreshed(2)));
    bench.web.on(ENDPOINT.token, refusal('invalid_grant'), json(ANSWER.token()));
    const outcome = await bench.agent.register({
      ...{ service: 'https://service.example', type: 'service_auth', reuse: true },
      loginHint: 'alice@example.com',
    });
    expect(outcome).toMatchObject({ status: 'registered', already: true });
    expect(bench.web.sent(ENDPOINT.identity).map(members).at(-1)).toMatchObject({
      type: 'refresh',
    });
  });

  it('shows in the status until when it is good', async () => {
    const bench = await expired(json(refreshed(2)));
    const [service] = (await bench.agent.status()).services;
    expect(service?.registrations[0]).toMatchObject({
      state: 'claimed',
      refreshRemaining: Date.parse(later(30 * 24 * 60)) - bench.clock.now(),
    });
  });

  it('is not sent once it has expired', async () => {
    const bench = await expired(json(refreshed(2)));
    bench.clock.advance(31 * 24 * HOUR);
    expect((await failure(bench.agent.token())).code).toBe('registration_over');
    expect(refreshes(bench)).toEqual([]);
  });

  it('that the service does not take ends the registration', async () => {
    const bench = await expired(refusal('invalid_refresh_token', 401));
    expect(await failure(bench.agent.token())).toMatchObject({
      code: 'registration_over',
      next: { command: 'register' },
    });
    expect(await bench.stored()).toMatchObject({ refresh: null, ended: 'revoked' });
  });

  it.each([
    ['a service that cannot answer now', new Response('busy', { status: 503 })],
    ['too many requests', refusal('rate_limit_exceeded', 429)],
    ['a refusal that is not about it', refusal('invalid_request')],
  ])('stays after %s', async (_what, reply) => {
    const bench = await expired(reply, json(refreshed(2)));
    await failure(bench.agent.token());
    expect(refreshes(bench)).toHaveLength(1);
    expect((await bench.agent.token()).value.reveal()).toBe('at_2');
  });

  it('is dropped where its answer gives no other', async () => {
    const bench = await expired(json(refreshed(2, { refresh_token: null })));
    await bench.agent.token();
    expect((await bench.stored()).refresh).toBeNull();
  });

  it('is stored before the assertion beside it is used', async () => {
    const bench = await expired(json(refreshed(2)));
    const whenExchanged: ReturnType<Bench['stored']>[] = [];
    bench.web.on(ENDPOINT.token, () => {
      whenExchanged.push(bench.stored());
      return lost();
    });
    await failure(bench.agent.token());
    const [stored] = await Promise.all(whenExchanged);
    expect(stored?.refresh?.value.reveal()).toBe('art_2');
    expect(stored?.assertion?.value.reveal()).toBe('assertion-r2');
  });
});

describe('a refresh token of two processes', () => {
  it('is sent by one of them, and both get a token', async () => {
    const store = fileStore();
    const bench = await expiredIn(store, json(refreshed(2)), refusal('invalid_refresh_token', 401));
    // The store is a file, which takes real time: a clock that runs with each look would pass the minute first.
    const sleep = (_ms: number, signal?: AbortSignal) => systemSleep(10, signal);
    const all = [1, 2, 3].map(() => bench.another({ sleep }).token());
    const tokens = (await Promise.all(all)).map(({ value }) => value.reveal());
    expect(tokens).toEqual(['at_2', 'at_2', 'at_2']);
    expect(refreshes(bench)).toHaveLength(1);
  });

  it('waits no longer than its caller', async () => {
    const bench = await expired(json(refreshed(2)));
    const { issuer, resource, id } = await bench.stored();
    const name = JSON.stringify(['refresh', issuer, resource, id]);
    const release = await withLock(bench.store).lock(name);
    const stop = new AbortController();
    const asked = failure(bench.agent.token({ signal: stop.signal }));
    stop.abort();
    expect((await asked).code).toBe('aborted');
    await release();
    expect((await bench.agent.token()).value.reveal()).toBe('at_2');
  });

  it('is not replaced by the answer to an older one', async () => {
    const bench = await expired(json(refreshed(2)));
    bench.web.on(ENDPOINT.identity, () => {
      void refreshElsewhere(bench);
      return json(refreshed(2));
    });
    await bench.agent.token();
    expect((await bench.stored()).refresh?.value.reveal()).toBe('art_elsewhere');
  });
});

describe('an answer to a refresh token that is lost', () => {
  it('is told, and the same token is tried once more', async () => {
    const bench = await expired(lost(), json(refreshed(2)));
    const error = await failure(bench.agent.token());
    expect(error).toMatchObject({ kind: 'network', next: { command: 'token' } });
    expect(error.message).toContain('may be used up');
    expect(refreshes(bench)).toHaveLength(1);
    expect((await bench.another().token()).value.reveal()).toBe('at_2');
  });

  it('is kept as far as it came', async () => {
    const bench = await expired(() => brokenOff('{"identity":{"refresh_token":{"value":"art_2'));
    const error = await failure(bench.agent.token());
    expect(error.next?.command).toBe('status');
    const [kept] = (await bench.agent.status()).notUnderstood;
    expect(kept).toMatchObject({ of: 'refresh', registrationId: 'reg_2' });
    expect(kept?.body.reveal()).toContain('art_2');
  });

  it('is kept where it cannot be read', async () => {
    const bench = await expired(json({ id: 'reg_2', identity: { token: 'x' } }));
    expect((await failure(bench.agent.token())).message).toContain('kept as kept_');
    expect((await bench.agent.status()).notUnderstood).toMatchObject([{ of: 'refresh' }]);
  });
});

/** As another process leaves it that has refreshed. */
function refreshElsewhere(bench: Bench): Promise<void> {
  return change(bench, (stored) => ({
    ...stored,
    assertion: { value: new Secret('assertion-elsewhere'), expiresAt: null },
    refresh: { value: new Secret('art_elsewhere'), expiresAt: null },
  }));
}

async function change(bench: Bench, to: (stored: Registration) => Registration): Promise<void> {
  const stored = await bench.stored();
  await bench.store.update((current) => [changeRegistration(current, stored, 0, to), undefined]);
}

function fileStore() {
  return openCredentialFile({ environment: { AGENT_AUTH_HOME: testFolder() } });
}
