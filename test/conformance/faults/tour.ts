import type { MockServiceOptions } from '../../../src/mock-service/index.ts';
import {
  type DialectId,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
} from '../../../src/protocol/index.ts';
import { BASE, Harness } from '../../mock-service/harness.ts';
import { ed25519Key } from '../../support/ed25519.ts';

const ALICE = 'alice@example.com';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const CLAIM_GRANT = 'urn:vendor:agent-auth:grant-type:claim';

type Body = Readonly<Record<string, unknown>>;

/** The bodies of registrations, as each dialect spells them. */
const REGISTRATIONS: Readonly<Record<string, (idJag: string) => readonly Body[]>> = {
  first: (assertion) => [
    { type: 'anonymous', requested_credential_type: 'api_key' },
    { type: 'identity_assertion', assertion_type: 'verified_email', assertion: ALICE },
    { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion },
    { type: 'nothing' },
  ],
};

const LATER = (assertion: string): readonly Body[] => [
  { type: 'anonymous' },
  { type: 'service_auth', login_hint: ALICE },
  { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion },
  { type: 'nothing' },
];

/**
 * A walk past every endpoint of a service in memory, with keys and randomness that repeat: what each answered.
 * Of two services that differ in a fault, the answers differ where the fault says something else.
 */
export async function tour(
  dialect: DialectId,
  options: Partial<MockServiceOptions> = {},
): Promise<readonly string[]> {
  const h = await Harness.start({
    dialect,
    keys: [ed25519Key('mock service')],
    algorithm: 'EdDSA',
    users: [{ email: 'known@example.com' }],
    rateLimit: false,
    // So that a confirmation is asked for in each dialect.
    linkExisting: 'ask',
    ...options,
  });
  await h.provider.useKey(ed25519Key('fake provider'));
  const seen: string[] = [];
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Body> => {
    const url = new URL(path, BASE);
    const headers = new Headers(init.headers);
    if (cookies.size > 0) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await h.service.fetch(new Request(url, { ...init, method, headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    seen.push(JSON.stringify([method, path, response.status, [...response.headers], text]));
    try {
      const parsed: unknown = JSON.parse(text);
      return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {};
    } catch {
      return { text, location: response.headers.get('location') };
    }
  };
  const post = (path: string, body: unknown) =>
    send('POST', path, { body: JSON.stringify(body), headers: JSON_TYPE });
  const form = (path: string, fields: Readonly<Record<string, unknown>>) =>
    send('POST', path, {
      body: new URLSearchParams(
        Object.entries(fields).map(([name, value]) => [name, String(value)] as [string, string]),
      ).toString(),
      headers: { ...FORM_TYPE, origin: BASE, 'sec-fetch-site': 'same-origin' },
    });
  const call = (token: unknown, method = 'GET') =>
    send(method, '/api/resource', { headers: { authorization: `Bearer ${String(token)}` } });

  for (const path of [
    '/',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/resource',
    '/.well-known/oauth-authorization-server',
    '/.well-known/jwks.json',
    '/auth.md',
    '/api/services.json',
    '/api/services.xml',
    '/v2/api/methods.json',
    '/nothing',
    '/agent/identity',
    '/login',
  ]) {
    await send('GET', path);
    await send('GET', path, { headers: { accept: 'text/html' } });
  }
  await send('OPTIONS', '/agent/identity', { headers: { origin: 'https://page.example' } });
  await send('POST', '/agent/identity', { body: '{', headers: JSON_TYPE });
  await send('GET', '/api/resource');
  await call('unknown');
  const bodies = (REGISTRATIONS[dialect] ?? LATER)(
    await h.provider.idJag({ email: 'dora@example.com', sub: 'user-3' }),
  );
  const [anonymous = {}, byEmail = {}, byIdJag = {}] = [
    await post('/agent/identity', bodies[0]),
    await post('/agent/identity', bodies[1]),
    await post('/agent/identity', bodies[2]),
  ];
  for (const body of bodies.slice(2)) await post('/agent/identity', body);
  const known = await h.provider.idJag({ email: 'known@example.com', sub: 'user-2' });
  await post('/agent/identity', { ...bodies[2], assertion: known });
  const old = await h.provider.idJag({ auth_time: 1 });
  await post('/agent/identity', { ...bodies[2], assertion: old });
  const claimToken = tokenOf(anonymous);
  const started = await startBy(post, dialect, claimToken);
  await startBy(post, dialect, 'clm_unknown');
  await poll(form, claimToken);
  await poll(form, claimToken);
  const link = await linkOf(h, started);
  const page = await send('GET', `/claim${link}`);
  await send('GET', String(page['location'] ?? '/login'));
  const csrf = /name="csrf_token" value="([^"]+)"/.exec(
    String((await send('GET', `/login?return_to=${encodeURIComponent(`/claim${link}`)}`))['text']),
  )?.[1];
  await form('/login', { csrf_token: csrf, return_to: `/claim${link}`, email: ALICE });
  const asked = String((await send('GET', `/claim${link}`))['text']);
  const fields = {
    csrf_token: /name="csrf_token" value="([^"]+)"/.exec(asked)?.[1],
    claim_attempt_token: new URLSearchParams(link).get('claim_attempt_token'),
  };
  const shown = await codeOf(h, started);
  if (dialect === 'flat') {
    await form('/agent/identity/claim/complete', { ...fields, user_code: '000000' });
    await form('/agent/identity/claim/complete', { ...fields, user_code: shown });
  } else {
    await form('/claim', { ...fields, decision: 'approve' });
    const page = String((await send('GET', `/claim${link}`))['text']);
    const code = shown ?? /aria-label="Code">([\d ]+)</.exec(page)?.[1]?.replace(' ', '') ?? '';
    const name = dialect === 'first' ? 'otp' : 'user_code';
    for (const tried of ['000000', code, code]) {
      await post('/agent/identity/claim/complete', { claim_token: claimToken, [name]: tried });
    }
  }
  h.clock.advance(5000);
  const collected = await poll(form, claimToken);
  await poll(form, claimToken);
  const assertion = assertionOf(anonymous);
  await form('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion });
  const established = await form('/oauth2/token', {
    grant_type: JWT_BEARER_GRANT,
    assertion: assertionOf(byIdJag),
  });
  await form('/oauth2/token', { grant_type: 'password' });
  await form('/oauth2/token', {});
  for (const token of [
    collected['access_token'],
    established['access_token'],
    anonymous['credential'],
    byIdJag['credential'],
  ]) {
    await call(token);
    await call(token, 'POST');
  }
  await form('/oauth2/revoke', { token: collected['access_token'] });
  await form('/oauth2/revoke', {});
  await call(collected['access_token']);
  await send('GET', '/connections');
  await send('GET', '/mails');
  const secevent = { 'content-type': 'application/secevent+jwt' };
  await send('POST', '/agent/event/notify', { body: 'no event', headers: secevent });
  await send('POST', '/agent/event/notify', {
    body: await h.provider.event({ sub: 'user-3' }),
    headers: secevent,
  });
  await startBy(post, dialect, tokenOf(byEmail));
  await h.service.close();
  return seen;
}

function tokenOf(registered: Body): unknown {
  const { claim, claim_token: flat } = registered;
  return flat ?? (claim as Body | undefined)?.['token'];
}

function assertionOf(registered: Body): unknown {
  const { identity, identity_assertion: flat } = registered;
  return flat ?? (identity as Body | undefined)?.['assertion'];
}

function startBy(
  post: (path: string, body: unknown) => Promise<Body>,
  dialect: DialectId,
  claimToken: unknown,
): Promise<Body> {
  const typed = { type: 'service_auth', claim_token: claimToken, login_hint: ALICE };
  const flat = { claim_token: claimToken, email: ALICE };
  return post('/agent/identity/claim', dialect === 'flat' || dialect === 'first' ? flat : typed);
}

function poll(
  form: (path: string, fields: Readonly<Record<string, unknown>>) => Promise<Body>,
  claimToken: unknown,
): Promise<Body> {
  return form('/oauth2/token', { grant_type: CLAIM_GRANT, claim_token: claimToken });
}

/** The query of the claim page. */
async function linkOf(h: Harness, started: Body): Promise<string> {
  const block = (started['claim_attempt'] ?? started['attempt']) as Body | undefined;
  const [mail] = await h.service.controls.mails();
  const uri = String(block?.['verification_uri'] ?? mail?.link ?? '');
  const token = /\/c\/([\w-]+)/.exec(uri)?.[1] ?? '';
  return `?claim_attempt_token=${token}`;
}

async function codeOf(h: Harness, started: Body): Promise<string | undefined> {
  const block = started['claim_attempt'] as Body | undefined;
  const shown = block?.['user_code'];
  const [mail] = await h.service.controls.mails();
  return typeof shown === 'string' ? shown : mail?.userCode;
}
