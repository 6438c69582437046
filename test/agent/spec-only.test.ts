import { describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../src/agent/index.ts';
import { FakeClock, fakeSleep, Secret, SeededRandom, silentLog } from '../../src/runtime/index.ts';
import { AsShownHere } from '../support/as-shown-here.ts';
import { typeThere } from '../support/type-there.ts';
import { jwt } from './support/bench.ts';

const BASE = 'https://plain.example';
const EMAIL = 'alice@example.com';

/** An agent and a service that sends what the specification shows and no more. */
async function bench() {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const service = await AsShownHere.start(BASE, () => clock.now());
  const store = createMemoryStore();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const sleep = fakeSleep(clock, async () => {
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
  });
  const agent = new Agent({
    fetch: (url, init) => service.fetch(new Request(url, init)),
    clock,
    sleep,
    random: new SeededRandom(1),
    log: silentLog,
    store,
  });
  const rows = async () => (await store.read()).services[0]?.registrations ?? [];
  const stored = async () => (await rows()).at(-1);
  return {
    agent,
    clock,
    service,
    rows,
    stored,
    whileWaiting: (act: () => Promise<unknown>) => {
      meanwhile = act;
    },
  };
}

const MISSING = [{ code: 'token_type_missing' }];

describe('a service that sends what the specification shows and no more', () => {
  it('is registered with anonymously, though it names no token type (it failed)', async () => {
    const { agent, stored } = await bench();
    const outcome = await agent.register({ service: BASE, type: 'anonymous' });
    expect(outcome).toMatchObject({ status: 'registered', warnings: MISSING });
    expect(await stored()).toMatchObject({
      preClaimScopes: null,
      postClaimScopes: null,
      // Of the assertion itself: nothing beside it says when it ends.
      assertion: { expiresAt: Date.UTC(2026, 0, 2) },
      token: { scopes: null, expiresAt: null },
      claim: { expiresAt: null, url: null },
    });
    expect((await agent.call('/api/resource')).status).toBe(200);
  });

  it('is claimed, and the token of the claim is kept (it was thrown away)', async () => {
    const { agent, service, stored, whileWaiting } = await bench();
    await agent.register({ service: BASE, type: 'anonymous' });
    const open = await agent.startClaim({ email: EMAIL });
    if (open.status !== 'open') throw new Error(open.status);
    expect(open.ceremony).toMatchObject({ remaining: 600_000, interval: 5000, openable: true });
    const { verificationUri, userCode } = typeThere(open.ceremony);
    whileWaiting(() => service.claim(verificationUri, userCode.reveal()));
    expect(await agent.waitForClaim()).toMatchObject({ status: 'claimed', warnings: MISSING });
    expect(await stored()).toMatchObject({ claimed: true, email: EMAIL, claim: null });
    const answer = await agent.call('/api/resource');
    expect(await answer.response.json()).toEqual({ scope: 'api.read api.write' });
    expect(service.registrations).toBe(1);
  });

  it('re-opens a claim whose code ran out', async () => {
    const { agent, clock, service, whileWaiting } = await bench();
    await agent.register({ service: BASE, type: 'service_auth', loginHint: EMAIL });
    clock.advance(11 * 60_000);
    expect((await agent.waitForClaim()).status).toBe('attempt_expired');
    const open = await agent.startClaim();
    if (open.status !== 'open') throw new Error(open.status);
    whileWaiting(() =>
      service.claim(
        typeThere(open.ceremony).verificationUri,
        typeThere(open.ceremony).userCode.reveal(),
      ),
    );
    expect((await agent.waitForClaim()).status).toBe('claimed');
    expect(service.answered).toEqual(['expired_token', 'token']);
  });

  it('registers a user by email, who claims, and is left', async () => {
    const { agent, service, stored, whileWaiting } = await bench();
    const outcome = await agent.register({ service: BASE, type: 'service_auth', loginHint: EMAIL });
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    const { verificationUri, userCode } = typeThere(outcome.ceremony);
    whileWaiting(() => service.claim(verificationUri, userCode.reveal()));
    expect((await agent.waitForClaim()).status).toBe('claimed');
    const before = (await agent.token()).value.reveal();
    expect((await agent.revoke()).status).toBe('revoked');
    expect((await agent.token()).value.reveal()).not.toBe(before);
    expect((await agent.forget()).revocation).toBe('revoked');
    expect(await stored()).toBeUndefined();
  });

  it('takes an ID-JAG', async () => {
    const { agent, stored } = await bench();
    const assertion = new Secret(
      jwt({ aud: BASE, iss: 'https://idp.example', sub: 'user-1', email: EMAIL }),
    );
    const outcome = await agent.register({ service: BASE, type: 'identity_assertion', assertion });
    expect(outcome).toMatchObject({ status: 'registered', warnings: MISSING });
    expect(await stored()).toMatchObject({ claimed: true, email: EMAIL, postClaimScopes: null });
    expect((await agent.call('/api/resource')).status).toBe(200);
  });

  it('keeps one registration of a user, however many ID-JAGs are sent (each added a row)', async () => {
    const { agent, rows } = await bench();
    const send = (sub: string, jti: string, iss = 'https://idp.example') =>
      agent.register({
        service: BASE,
        type: 'identity_assertion',
        assertion: new Secret(jwt({ aud: BASE, iss, sub, jti })),
      });
    for (const jti of ['1', '2', '3'])
      expect((await send('user-1', jti)).status).toBe('registered');
    expect(await rows()).toHaveLength(1);
    const again = await send('user-1', '4');
    expect(again).toMatchObject({ already: false, previous: undefined });
    expect((await agent.call('/api/resource')).status).toBe(200);
    await send('user-2', '5');
    await send('user-1', '6', 'https://other.example');
    expect(await rows()).toHaveLength(3);
  });

  it('warns wherever a token is fetched: of token and of call, too', async () => {
    const { agent } = await bench();
    await agent.register({ service: BASE, type: 'anonymous' });
    expect((await agent.token()).warnings).toEqual([]);
    expect((await agent.token({ renew: true })).warnings).toMatchObject(MISSING);
    await agent.revoke();
    expect((await agent.call('/api/resource')).warnings).toMatchObject(MISSING);
    const again = await agent.register({ service: BASE, type: 'anonymous', reuse: true });
    expect(again).toMatchObject({ already: true, warnings: MISSING });
  });

  it('says in status that no scope was said, not that there is none', async () => {
    const { agent } = await bench();
    await agent.register({ service: BASE, type: 'anonymous' });
    const { services } = await agent.status();
    expect(services[0]?.registrations[0]?.scopes).toBeNull();
  });
});
