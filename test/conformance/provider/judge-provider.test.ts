import { afterEach, describe, expect, it } from 'vitest';
import { unjudgedFlows } from '../../../src/conformance/engine/core.ts';
import {
  BadTarget,
  Catalog,
  type JudgeProviderOptions,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  type ScenarioResult,
  startMockProviderTarget,
} from '../../../src/conformance/index.ts';
import { PROVIDER_CORE } from '../../../src/conformance/provider/core.ts';
import type { MockProviderOptions } from '../../../src/mock-provider/index.ts';
import { serve } from '../../../src/mock-service/index.ts';
import {
  DEVICE_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../src/protocol/index.ts';
import { silentLog, systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { freePort } from '../../support/free-port.ts';
import { withStatus } from '../support/failing-checks.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
const catalog = new Catalog(readRequirements());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A mock whose metadata, or whose answers at another endpoint, are changed on their way out. */
async function startMock(
  change: (answer: Record<string, unknown>) => unknown = (same) => same,
  options: Partial<MockProviderOptions> = {},
  endpoint = 'oauth-authorization-server',
) {
  const mock = await startMockProviderTarget({
    ...ports,
    fetch: createSystemFetch(),
    mock: options,
    serve: (options) =>
      serve({
        ...options,
        build: async (origin) => {
          const handle = await options.build(origin);
          return async (request) => {
            const response = await handle(request);
            if (!request.url.includes(endpoint)) return response;
            const answer = (await response.json()) as Record<string, unknown>;
            const { status, headers } = response;
            return new Response(JSON.stringify(change(answer)), { status, headers });
          };
        },
      }),
  });
  closing.push(() => mock.close());
  return mock;
}

function judge(
  target: string,
  options: Partial<JudgeProviderOptions>,
  only?: readonly string[],
): Promise<readonly ScenarioResult[]> {
  return judgeProvider({
    ...ports,
    target,
    catalog,
    timeout: 30_000,
    ...(only && { scenarios: PROVIDER_SCENARIOS.filter(({ id }) => only.includes(id)) }),
    ...options,
  });
}

/** What a provider without token exchange does by an API of its own: here by the mock's, unseen. */
async function mintUnseen(target: string, audience: string): Promise<string> {
  const send = async (path: string, form: Record<string, string>, member: string) => {
    const body = new URLSearchParams({ client_id: 'agent-auth', ...form });
    const answer = await fetch(`${target}${path}`, { method: 'POST', body });
    const members = (await answer.json()) as Record<string, unknown>;
    expect(members).toHaveProperty(member);
    return String(members[member]);
  };
  const scope = 'openid email';
  const code = await send('/oauth2/device_authorization', { scope }, 'device_code');
  const poll = { grant_type: DEVICE_CODE_GRANT, device_code: code };
  const idToken = await send('/oauth2/token', poll, 'id_token');
  const exchange = {
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    subject_token: idToken,
    subject_token_type: ID_TOKEN_TYPE,
    audience,
  };
  return send('/oauth2/token', exchange, 'access_token');
}

const reasonsOf = (results: readonly ScenarioResult[]) =>
  withStatus(results, ['skip', 'untestable']).map(({ reason }) => reason ?? '');

describe('a provider that is judged', () => {
  it('is accused of nothing where no clock can be moved: what needs time is left out by name', async () => {
    const { target } = await startMock();
    const results = await judge(target, {});
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    for (const reason of reasonsOf(results))
      expect(reason).toMatch(/--(patience|control|consents|client-secret)/);
  });

  it('is asked for a consent on its page where it has no endpoint for that', async () => {
    const { consentsUri, control, target } = await startMock(
      ({ consent_revocation_endpoint: _, ...metadata }) => metadata,
    );
    const only = ['consent-revoked', 'event-sent', 'event-address'];
    const results = await judge(target, { control, consentsUri }, only);
    const odd = withStatus(results, ['fail', 'warn', 'untestable', 'skip']).map(({ id }) => id);
    expect(odd).toEqual(['consent-revoked.accepted', 'consent-revoked.answer']);
  });

  it('is not followed to a consent page of another origin, and judged by none', async () => {
    const { target } = await startMock(
      ({ consent_uri: page, ...answer }) =>
        typeof page === 'string'
          ? { ...answer, consent_uri: page.replace('127.0.0.1', 'localhost') }
          : answer,
      {},
      '/oauth2/token',
    );
    const results = await judge(target, {}, ['consent']);
    expect(withStatus(results, ['pass', 'fail', 'warn'])).toEqual([]);
    expect(reasonsOf(results)).not.toEqual([]);
    for (const reason of reasonsOf(results)) {
      expect(reason).toContain('without a consent_uri where its user could consent');
    }
  });

  it('is not judged about revocations without a way to revoke', async () => {
    const { target } = await startMock(
      ({ consent_revocation_endpoint: _, ...metadata }) => metadata,
    );
    const results = await judge(target, {}, ['event-sent', 'event-retry']);
    expect(withStatus(results, ['fail', 'warn', 'untestable', 'pass'])).toEqual([]);
    for (const reason of reasonsOf(results)) expect(reason).toContain('--consents-page');
  });

  it('is not judged without a way to sign in, and the verdict names the option that gives one', async () => {
    const { target } = await startMock(
      ({ device_authorization_endpoint: _, ...metadata }) => metadata,
    );
    const results = await judge(target, {});
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    const checks = results.flatMap((result) => result.checks);
    expect(unjudgedFlows(PROVIDER_CORE, checks)).toEqual([
      expect.objectContaining({
        story: 'the mint of an ID-JAG',
        option: '--client-secret',
        why: expect.stringContaining('--id-token-command'),
      }),
    ]);
  });

  it('is judged about everything before its signatures where it names no jwks_uri', async () => {
    const { target } = await startMock(({ jwks_uri: _, ...metadata }) => metadata);
    const results = await judge(target, {}, ['mint', 'device-sign-in', 'event-sent']);
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    const judged = withStatus(results, ['pass']).map(({ id }) => id);
    expect(judged).toEqual(
      expect.arrayContaining([
        'device-sign-in.id-token-audience',
        'mint.uncached',
        'mint.header',
        'event-sent.type',
        'event-sent.subject',
      ]),
    );
    const left = withStatus(results, ['skip']).map(({ id }) => id);
    expect(left).toEqual(
      expect.arrayContaining([
        'device-sign-in.id-token-signature',
        'mint.signed',
        'event-sent.signed',
      ]),
    );
  });

  it('may know one user only: what needs another one is left out', async () => {
    const { consentsUri, control, target } = await startMock();
    const results = await judge(target, { control, consentsUri, emailPattern: 'one@example.com' });
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    const skipped = withStatus(results, ['skip']).filter(({ section }) => section !== 'ema');
    expect(skipped.map(({ id }) => id)).toEqual([
      'provider-connections.head',
      'provider-connections.body',
      'consent.per-user',
      'mint.subjects-differ',
      'consent-attacks.stranger',
      'device-attacks.shown-account',
      'device-codes.guess-limit',
    ]);
  });

  it('mints for the services that it knows; other scenarios are skipped', async () => {
    const { target } = await startMock();
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const known = { services: { port }, audiences: [`${base}/one`, `${base}/two`] };
    const results = await judge(target, known, ['mint', 'event-sent', 'event-address']);
    expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    for (const reason of reasonsOf(results)) expect(reason).toContain('--audience');
    expect(withStatus(results, ['pass']).length).toBeGreaterThan(25);
  });

  it('mints by its own API: keys, ID-JAGs and events are judged with what a command mints', async () => {
    const email = 'one@example.com';
    const { consentsUri, control, target } = await startMock(
      ({ consent_revocation_endpoint: _, device_authorization_endpoint: __, ...metadata }) => ({
        ...metadata,
        grant_types_supported: [DEVICE_CODE_GRANT],
      }),
      { autoApprove: email },
    );
    const results = await judge(target, {
      control,
      consentsUri,
      emailPattern: email,
      mintCommand: (_email, { audience }) => mintUnseen(target, audience),
    });
    expect(withStatus(results, ['fail', 'untestable'])).toEqual([]);
    const passed = withStatus(results, ['pass']).map(({ id }) => id);
    const of = (scenario: string) => passed.filter((id) => id.startsWith(`${scenario}.`));
    expect(of('mint')).toHaveLength(13);
    expect(of('key-rotation')).toHaveLength(4);
    expect(of('event-sent')).toHaveLength(12);
    expect(of('event-retry')).toHaveLength(7);
    expect(of('client-document').length).toBeGreaterThan(2);
    expect(of('mint-refusals')).toEqual([]);
    expect(reasonsOf(results)).toContain(
      'ID-JAGs come from --mint-command: this is about a token exchange.',
    );
  });

  it.each([
    ['a web page', new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } })],
    [
      'a redirect',
      new Response(null, { status: 302, headers: { location: 'https://x.example/' } }),
    ],
    ['nothing', new Response(null, { status: 404 })],
  ])('is no provider when it answers with %s', async (_what, answer) => {
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => async () => answer.clone(),
    });
    closing.push(() => served.close());
    await expect(judge(served.origin, {})).rejects.toBeInstanceOf(BadTarget);
  });
});
