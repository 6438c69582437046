import { afterEach, describe, expect, it } from 'vitest';
import { type AgentOptions, createMemoryStore } from '../../src/agent/index.ts';
import { nextTool } from '../../src/mcp/answer/answer.ts';
import { needsUser } from '../../src/mcp/describe/ceremony.ts';
import type { McpWorld } from '../../src/mcp/world/mcp-world.ts';
import { createMockProvider } from '../../src/mock-provider/index.ts';
import { createMockService } from '../../src/mock-service/index.ts';
import {
  FakeClock,
  type Fetch,
  fakeSleep,
  SeededRandom,
  type Sleep,
  silentLog,
} from '../../src/runtime/index.ts';
import { TestUser } from '../support/test-user.ts';
import { until } from '../support/until.ts';
import { Host } from './support/host.ts';

const PROVIDER = 'https://provider.test';
const SERVICE = 'https://service.test';
const ALICE = 'alice@example.com';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** An agent between both mocks, and its user at the provider. */
async function start(
  options: Parameters<typeof Host.start>[1] = {},
  sleepOf: (clock: FakeClock) => Sleep = fakeSleep,
) {
  const clock = new FakeClock();
  const network: Fetch = async (url, { method, headers, body } = {}) =>
    (url.startsWith(`${PROVIDER}/`) ? provider : service).fetch(
      new Request(url, {
        ...(method !== undefined && { method }),
        ...(headers !== undefined && { headers }),
        ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      }),
    );
  const ports = { clock, fetch: network, log: silentLog };
  const provider = await createMockProvider({
    ...ports,
    random: new SeededRandom(1),
    baseUrl: PROVIDER,
    audiences: [{ issuer: SERVICE, scopes: ['api.read', 'api.write'] }],
  });
  const service = await createMockService({
    ...ports,
    random: new SeededRandom(2),
    baseUrl: SERVICE,
    trust: [{ issuer: PROVIDER }],
  });
  const sent: string[] = [];
  const agent: AgentOptions = {
    ...ports,
    fetch: (url, init) => {
      if (typeof init?.body === 'string') sent.push(init.body);
      return network(url, init);
    },
    sleep: sleepOf(clock),
    random: new SeededRandom(3),
    store: createMemoryStore(),
  };
  const host = await Host.start(agent, options);
  open.push(provider, service, host);
  const user = new TestUser((request) => provider.fetch(request));
  const decideSignIn = (decision: string) => async (page: string, code: string) => {
    const opened = await user.openSignedIn(page, ALICE);
    const asked = await user.submit(opened, '/device', { user_code: code });
    await user.submit(asked, '/device', { decision });
  };
  const approveSignIn = decideSignIn('approve');
  const denySignIn = decideSignIn('deny');
  const approveConsent = async (page: string) => {
    const asked = await user.openSignedIn(page, ALICE);
    const form = asked.document.querySelector('form');
    await user.submit(asked, form?.getAttribute('action') ?? '', { decision: 'approve' });
  };
  return { host, provider, service, approveSignIn, denySignIn, approveConsent, sent };
}

describe.each(['legacy', 'modern'] as const)('a provider that vouches for the user (%s)', (era) => {
  it('leads from the sign-in over the consent to a claimed registration', async () => {
    const { host, approveSignIn, approveConsent, sent } = await start({ era });
    const asked = await host.call('connect', { service: SERVICE, provider: PROVIDER });
    expect(asked.data).toMatchObject({
      error: { code: 'login_required' },
      next: { tool: 'sign_in', arguments: { provider: PROVIDER } },
    });

    const signIn = await host.call(asked.data.next.tool, asked.data.next.arguments);
    const { verification_uri, user_code } = signIn.data.sign_in;
    expect(signIn.text).toContain(verification_uri);
    expect(signIn.data).toMatchObject({ status: 'pending', next: { tool: 'await_sign_in' } });
    expect((await host.call('await_sign_in', { timeout_seconds: 2 })).data).toMatchObject({
      status: 'pending',
      sign_in: { user_code: null },
    });
    await approveSignIn(verification_uri, user_code);
    const signedIn = await host.call('await_sign_in', { timeout_seconds: 60 });
    expect(signedIn.data).toMatchObject({ status: 'signed_in', untrusted_account: ALICE });

    const consent = await host.call('connect', { service: SERVICE, provider: PROVIDER });
    expect(consent.data).toMatchObject({
      status: 'consent_required',
      next: { tool: 'connect', arguments: { service: SERVICE, provider: PROVIDER } },
    });
    await approveConsent(consent.data.consent_uri);
    const connected = await host.call(consent.data.next.tool, consent.data.next.arguments);
    expect(connected.data).toMatchObject({
      status: 'connected',
      registration: { type: 'identity_assertion', provider: PROVIDER },
    });
    expect((await host.call('call', { target: '/api/resource' })).data.ok).toBe(true);

    // What was sent to get there is in nothing that was said.
    const said = [asked, signIn, signedIn, consent, connected].map(({ whole }) => whole).join('\n');
    const secrets = sent.flatMap((body) => body.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? []);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(said).not.toContain(secret);
  });

  it('refuses, which was taken for the denial of an earlier claim', async () => {
    const { host, provider, service, approveSignIn } = await start({ era });
    const { registration } = (await host.call('connect', { service: SERVICE, email: ALICE })).data;
    await service.controls.deny(registration.registration_id);
    const denied = await host.call('await_claim');
    expect(denied.data).toMatchObject({
      error: { code: 'access_denied' },
      next: { tool: 'start_claim' },
    });
    const signIn = await host.call('sign_in', { provider: PROVIDER });
    const { verification_uri, user_code } = signIn.data.sign_in;
    await approveSignIn(verification_uri, user_code);
    await host.call('await_sign_in');
    const given = { service: SERVICE, provider: PROVIDER, new: true };
    expect((await host.call('register', given)).data.status).toBe('consent_required');
    const [asked] = await provider.controls.consentRequests();
    await provider.controls.decideConsent(asked?.id ?? '', 'deny');
    const { data, text } = await host.call('register', given);
    expect(data).toMatchObject({
      error: { code: 'access_denied' },
      next: { tool: 'register', arguments: { provider: PROVIDER } },
    });
    expect(text).not.toContain('Respect that.');
  });

  it('is asked for a sign-in as young, and of the kind, that it demanded itself', async () => {
    const { host, sent } = await start({ era });
    const asked = { provider: PROVIDER, max_age_seconds: 60, acr_values: 'mfa' };
    expect((await host.call('sign_in', asked)).data).toMatchObject({ status: 'pending' });
    const form = new URLSearchParams(sent.find((body) => body.includes('max_age')));
    expect([form.get('max_age'), form.get('acr_values')]).toEqual(['60', 'mfa']);
    const outcome = {
      ...({ status: 'login_required', askedBy: 'provider' } as const),
      ...{ provider: PROVIDER, maxAge: 60, acrValues: 'mfa' },
    };
    expect(() => needsUser({} as McpWorld, outcome, nextTool('connect'))).toThrow(
      expect.objectContaining({
        facts: expect.objectContaining({ next: nextTool('sign_in', { ...asked, fresh: true }) }),
      }),
    );
  });

  it('is asked for by the host, which shows the pages of the sign-in and the consent', async () => {
    const { host, approveSignIn, approveConsent } = await start({ era, pages: 'accept' });
    const signIn = await host.call('sign_in', { provider: PROVIDER });
    expect(signIn.data).toMatchObject({ status: 'pending', sign_in: { shown_by_host: true } });
    const [page] = host.pages;
    const [, code = ''] = /Type this code there: (\S+)/.exec(page?.message ?? '') ?? [];
    await approveSignIn(page?.url ?? '', code);
    expect((await host.call('await_sign_in')).data.status).toBe('signed_in');
    expect(
      (await host.call('connect', { service: SERVICE, provider: PROVIDER })).data,
    ).toMatchObject({
      status: 'consent_required',
    });
    expect(host.pages.map(({ url }) => new URL(url).origin)).toEqual([PROVIDER, PROVIDER]);
    // The page came before anything was registered: register goes on by registering.
    expect(
      (await host.call('register', { service: SERVICE, provider: PROVIDER })).data,
    ).toMatchObject({ status: 'consent_required' });
    await approveConsent(host.pages.at(-1)?.url ?? '');
    expect(
      (await host.call('register', { service: SERVICE, provider: PROVIDER })).data,
    ).toMatchObject({ status: 'registered' });
  });
});

describe('a sign-in that its user denied', () => {
  it('was told as a denied claim where a claim had been denied before', async () => {
    const { host, service, denySignIn } = await start();
    const { registration } = (await host.call('connect', { service: SERVICE, email: ALICE })).data;
    await service.controls.deny(registration.registration_id);
    expect((await host.call('await_claim')).data.error.code).toBe('access_denied');
    const { verification_uri, user_code } = (await host.call('sign_in', { provider: PROVIDER }))
      .data.sign_in;
    await denySignIn(verification_uri, user_code);
    const { data, text } = await host.call('await_sign_in');
    expect(data).toMatchObject({
      error: { code: 'access_denied', hint: expect.stringContaining('begin another') },
      next: { tool: 'sign_in', arguments: { provider: PROVIDER } },
    });
    expect(text).not.toContain('claim');
  });
});

describe('a sign-in that is begun anew while a call waits for the first', () => {
  it('is the one that the next call waits for', async () => {
    const passes: (() => void)[] = [];
    const { host, approveSignIn } = await start(
      {},
      (clock) => (ms, signal) =>
        new Promise((resolve, reject) => {
          passes.push(() => {
            clock.advance(ms);
            resolve();
          });
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    );
    await host.call('sign_in', { provider: PROVIDER });
    const first = host.call('await_sign_in');
    first.catch(() => {});
    await until(() => passes.length === 1);
    const { sign_in } = (await host.call('sign_in', { provider: PROVIDER })).data;
    await approveSignIn(sign_in.verification_uri, sign_in.user_code);
    const second = host.call('await_sign_in');
    await until(() => passes.length === 2);
    passes[1]?.();
    expect((await second).data.status).toBe('signed_in');
  });
});
