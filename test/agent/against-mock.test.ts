import { beforeEach, describe, expect, it } from 'vitest';
import { Agent, createMemoryStore } from '../../src/agent/index.ts';
import {
  type Fetch,
  fakeSleep,
  NetworkError,
  Secret,
  SeededRandom,
  silentLog,
} from '../../src/runtime/index.ts';
import { BASE, Harness } from '../mock-service/harness.ts';
import { typeThere } from '../support/type-there.ts';

let harness: Harness;
let agent: Agent;
/** What the user does while the agent waits. */
let meanwhile: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  harness = await Harness.start({ users: [{ email: 'bob@example.com' }] });
  const { clock } = harness;
  const fetch: Fetch = async (url, init = {}) => {
    if (!url.startsWith(BASE)) throw new NetworkError('not_found', 'The host name is unknown.');
    const { method, headers, body } = init;
    return harness.service.fetch(
      new Request(url, {
        ...(method !== undefined && { method }),
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
        redirect: 'manual',
      }),
    );
  };
  meanwhile = undefined;
  const sleep = fakeSleep(clock, async () => {
    const act = meanwhile;
    meanwhile = undefined;
    await act?.();
  });
  const random = new SeededRandom(7);
  agent = new Agent({ fetch, clock, sleep, random, log: silentLog, store: createMemoryStore() });
});

/** The user opens the page of a ceremony, signs in and types the code. */
function approve(
  ceremony: { readonly userCode: Secret; readonly verificationUri: string },
  email: string,
) {
  return harness.complete(
    {
      user_code: ceremony.userCode.reveal(),
      verification_uri: ceremony.verificationUri,
      expires_in: 1,
      interval: 1,
    },
    email,
  );
}

describe('the agent against the mock service', () => {
  it('finds it from its URL, from a protected URL and from its issuer, without a warning', async () => {
    for (const target of [
      { address: BASE },
      { address: `${BASE}/` },
      { resource: `${BASE}/api/resource` },
      { issuer: BASE },
    ]) {
      const { service, warnings } = await agent.discover(target);
      expect(service).toMatchObject({ issuer: BASE, resource: BASE });
      expect(warnings).toEqual([]);
    }
  });

  it('registers anonymously, reads, is refused to write, is claimed, and writes', async () => {
    const registered = await agent.register({ service: BASE, type: 'anonymous' });
    expect(registered).toMatchObject({ status: 'registered', token: { scopes: ['api.read'] } });
    expect((await agent.call('/api/resource')).status).toBe(200);
    await expect(agent.call('/api/resource', { method: 'POST' })).rejects.toMatchObject({
      code: 'insufficient_scope',
      next: { command: 'claim' },
    });

    const started = await agent.startClaim({ email: 'alice@example.com' });
    if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
    expect(started.ceremony.openable).toBe(true);
    meanwhile = () => approve(typeThere(started.ceremony), 'alice@example.com');
    const claimed = await agent.waitForClaim();
    expect(claimed).toMatchObject({
      status: 'claimed',
      token: { scopes: ['api.read', 'api.write'] },
      registration: { claimed: true, claim: null, email: 'alice@example.com' },
    });
    expect((await agent.call('/api/resource', { method: 'POST' })).status).toBe(200);
  });

  it('collects a claim by itself when the old token and assertion died of it', async () => {
    await agent.register({ service: BASE, type: 'anonymous' });
    const started = await agent.startClaim({ email: 'alice@example.com' });
    if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
    await approve(typeThere(started.ceremony), 'alice@example.com');
    // Another poll of the same claim kills the tokens from before it.
    await harness.poll(started.registration.claim?.token.reveal());
    const answer = await agent.call('/api/resource', { method: 'POST' });
    expect(answer.status).toBe(200);
  });

  it('registers by email and waits for the user', async () => {
    const outcome = await agent.register({
      service: BASE,
      type: 'service_auth',
      loginHint: 'Bob@Example.com',
    });
    if (outcome.status !== 'claim_pending') throw new Error(outcome.status);
    await expect(agent.token()).rejects.toMatchObject({ code: 'claim_pending' });
    meanwhile = () => approve(typeThere(outcome.ceremony), 'bob@example.com');
    expect((await agent.waitForClaim()).status).toBe('claimed');
    expect((await agent.token()).scopes).toEqual(['api.read', 'api.write']);
  });

  it('sees an attempt end when the clock of the service is moved, and opens another', async () => {
    await agent.register({ service: BASE, type: 'anonymous' });
    await agent.startClaim({ email: 'alice@example.com' });
    meanwhile = async () => harness.clock.advance(11 * 60_000);
    expect((await agent.waitForClaim()).status).toBe('attempt_expired');
    const again = await agent.startClaim();
    if (again.status !== 'open') throw new Error(`The claim is ${again.status}.`);
    expect(again.resumed).toBe(false);
    meanwhile = () => approve(typeThere(again.ceremony), 'alice@example.com');
    expect((await agent.waitForClaim()).status).toBe('claimed');
  });

  it('registers with an ID-JAG, and confirms the link where an account exists', async () => {
    const assertion = new Secret(await harness.provider.idJag());
    const type = 'identity_assertion';
    const first = await agent.register({ service: BASE, type, assertion });
    expect(first).toMatchObject({ status: 'registered', registration: { claimed: true } });

    const bob = { sub: 'user-2', email: 'bob@example.com' };
    const other = new Secret(await harness.provider.idJag(bob));
    const second = await agent.register({ service: BASE, type, assertion: other });
    if (second.status !== 'claim_pending') throw new Error(second.status);
    expect(second.reason).toBe('interaction_required');
    meanwhile = () => approve(typeThere(second.ceremony), 'bob@example.com');
    expect((await agent.waitForClaim()).status).toBe('claimed');
  });

  it('asks for a new sign-in when the last one is too old', async () => {
    const { provider } = harness;
    const assertion = new Secret(await provider.idJag({ auth_time: provider.now - 7200 }));
    expect(
      await agent.register({ service: BASE, type: 'identity_assertion', assertion }),
    ).toMatchObject({ status: 'login_required', askedBy: 'service', maxAge: 3600 });
  });

  it('revokes, exchanges again, and forgets', async () => {
    await agent.register({ service: BASE, type: 'anonymous' });
    const { value } = await agent.token();
    expect((await agent.revoke()).status).toBe('revoked');
    expect((await harness.call(value.reveal())).status).toBe(401);
    expect((await agent.call('/api/resource')).status).toBe(200);
    expect(await agent.forget()).toMatchObject({ revocation: 'revoked', tokenRemaining: null });
    await expect(agent.token()).rejects.toMatchObject({ code: 'not_registered' });
  });

  it('says that a registration is over once it was revoked', async () => {
    const assertion = new Secret(await harness.provider.idJag());
    await agent.register({ service: BASE, type: 'identity_assertion', assertion });
    harness.clock.advance(1000);
    const event = await harness.provider.event();
    await harness.send('POST', '/agent/event/notify', {
      body: event,
      headers: { 'content-type': 'application/secevent+jwt' },
    });
    await expect(agent.call('/api/resource')).rejects.toMatchObject({
      code: 'registration_over',
      kind: 'not_registered',
    });
    const [service] = (await agent.status()).services;
    expect(service?.registrations[0]?.state).toBe('revoked');
  });

  it('connects by another type where the registration is gone and its type is no longer offered', async () => {
    await agent.connect({ service: BASE });
    harness = await Harness.start({ identityTypes: ['service_auth'] });
    const outcome = await agent.connect({ service: BASE, email: 'alice@example.com' });
    expect(outcome.status).toBe('claim_pending');
    const registrations = await harness.service.controls.registrations();
    expect(registrations.map(({ facts }) => facts.type)).toEqual(['service_auth']);
  });
});
