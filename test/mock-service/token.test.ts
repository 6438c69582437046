import { beforeEach, describe, expect, it } from 'vitest';
import { claimGrantType, JWT_BEARER_GRANT } from '../../src/protocol/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { type Answer, BASE, Harness } from './harness.ts';

let h: Harness;
let assertion: string;
beforeEach(async () => {
  h = await Harness.start();
  assertion = String((await h.register({ type: 'anonymous' })).body['identity_assertion']);
});

const error = ({ body, status }: Answer) => [status, body['error']];
const raw = (body: string, headers: Record<string, string> = {}) =>
  h.send('POST', '/oauth2/token', {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('the token endpoint', () => {
  it('takes forms alone', async () => {
    const answer = await h.post('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion });
    expect(error(answer)).toEqual([415, 'invalid_request']);
    expect((await h.send('GET', '/oauth2/token')).status).toBe(405);
  });

  it.each([
    ['no grant_type', `assertion=x`],
    ['an empty grant_type', `grant_type=&assertion=x`],
    ['no assertion', `grant_type=${encodeURIComponent(JWT_BEARER_GRANT)}`],
    ['no claim_token', `grant_type=${encodeURIComponent(claimGrantType('vendor'))}`],
    ['a parameter twice', `grant_type=a&grant_type=a`],
    ['an unknown parameter twice', `grant_type=a&x=1&x=2`],
    ['U+0000', `grant_type=a%00`],
  ])('refuses %s as invalid_request (TOK-02, TOK-08)', async (_what, body) => {
    expect(error(await raw(body))).toEqual([400, 'invalid_request']);
  });

  it.each([
    'password',
    'authorization_code',
    'refresh_token',
    claimGrantType('other'),
    'constructor',
  ])('refuses the grant %s', async (grant_type) => {
    expect(error(await h.form('/oauth2/token', { grant_type }))).toEqual([
      400,
      'unsupported_grant_type',
    ]);
  });

  it('accepts the claim grant of every label that it advertises', async () => {
    h = await Harness.start({ vendor: ['acme', 'other'] });
    const { body } = await h.register({ type: 'anonymous' });
    for (const label of ['acme', 'other']) {
      const answer = await h.form('/oauth2/token', {
        grant_type: claimGrantType(label),
        claim_token: String(body['claim_token']),
      });
      expect(error(answer)).toEqual([400, 'authorization_pending']);
    }
  });

  it.each([
    ['a client secret', { client_secret: 's' }, {}],
    ['a client assertion', { client_assertion: 'x.y.z' }, {}],
    ['Basic credentials', {}, { authorization: 'Basic YTpi' }],
    ['a bearer token', {}, { authorization: 'Bearer at_x' }],
  ])('refuses %s with a challenge of the scheme used', async (_what, fields, headers) => {
    const body = new URLSearchParams({ grant_type: JWT_BEARER_GRANT, assertion, ...fields });
    const answer = await raw(body.toString(), headers);
    expect(error(answer)).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^(Basic|Bearer) /);
  });

  it('ignores client_id and parameters that it does not know', async () => {
    const answer = await h.exchange(assertion, { client_id: 'anything', extra: '1' });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('refresh_token');
  });

  it('refuses a body of 413', async () => {
    expect(error(await raw(`grant_type=${'x'.repeat(70_000)}`))).toEqual([413, 'invalid_request']);
  });
});

describe('the assertion', () => {
  it.each([
    ['of nobody', () => 'x.y.z'],
    ['with a changed claim', () => tamper({ ver: 2 })],
    ['for another subject', () => tamper({ sub: 'reg_other' })],
    ['with its signature cut', () => assertion.slice(0, -4)],
    ['without a signature', () => assertion.slice(0, assertion.lastIndexOf('.') + 1)],
    ['twice', () => `${assertion} ${assertion}`],
  ])('%s is invalid_grant (TOK-12, TOK-15)', async (_what, make) => {
    expect(error(await h.exchange(make()))).toEqual([400, 'invalid_grant']);
  });

  it('is over at its end, without tolerance', async () => {
    h.clock.advance(24 * 3_600_000 - 1000);
    expect((await h.exchange(assertion)).body['expires_in']).toBe(1);
    h.clock.advance(1000);
    expect(error(await h.exchange(assertion))).toEqual([400, 'invalid_grant']);
  });

  it('of a provider is for clients that authenticate (wire contract §13) [AR-OBJ-1]', async () => {
    expect(error(await h.exchange(await h.provider.idJag()))).toEqual([401, 'invalid_client']);
  });

  it('of another service is refused', async () => {
    const other = await Harness.start({ random: new SeededRandom(2) });
    const foreign = (await other.register({ type: 'anonymous' })).body['identity_assertion'];
    expect(error(await h.exchange(foreign))).toEqual([400, 'invalid_grant']);
  });

  it('can be exchanged again and again; each token has its own lifetime', async () => {
    const first = (await h.exchange(assertion)).body['access_token'];
    const second = (await h.exchange(assertion)).body['access_token'];
    expect(first).not.toBe(second);
    expect((await h.call(first)).status).toBe(200);
    expect((await h.call(second)).status).toBe(200);
    h.clock.advance(3_600_000);
    expect((await h.call(second)).status).toBe(401);
  });

  function tamper(claims: Record<string, unknown>): string {
    const [head, body = '', signature] = assertion.split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...payload, ...claims })).toString('base64url');
    return `${head}.${changed}.${signature}`;
  }
});

describe('scope and resource', () => {
  it('can be narrowed, and not widened', async () => {
    expect((await h.exchange(assertion, { scope: 'api.read' })).status).toBe(200);
    expect(error(await h.exchange(assertion, { scope: ' ' }))).toEqual([400, 'invalid_scope']);
    expect(error(await h.exchange(assertion, { scope: 'api.read admin' }))).toEqual([
      400,
      'invalid_scope',
    ]);
  });

  it.each([BASE, `${BASE}/`, `${BASE}/api/resource`, `${BASE}/api/resource/a`])(
    'takes the resource %s',
    async (resource) => {
      expect((await h.exchange(assertion, { resource })).status).toBe(200);
    },
  );

  it.each([
    'https://other.test',
    `${BASE}/other`,
    `${BASE}/api/resources`,
    `${BASE}/api/resource#f`,
    ` ${BASE}/api/resource`,
    'https://u:p@service.test/api/resource',
    'https://service.test\\api\\resource',
    `${BASE}/api/x/../resource`,
    `${BASE}/api/resource/../../other`,
    'api/resource',
    'not a url',
  ])('refuses the resource %s (RFC 8707 §2)', async (resource) => {
    expect(error(await h.exchange(assertion, { resource }))).toEqual([400, 'invalid_target']);
  });

  it.each([
    ['a resource', { resource: `${BASE}/api/resource/${'a'.repeat(512)}` }],
    ['a scope', { scope: `api.read ${'a'.repeat(513)}` }],
  ])('refuses %s of more than 512 bytes', async (_what, more) => {
    expect(error(await h.exchange(assertion, more))).toEqual([400, 'invalid_request']);
  });

  it('binds a token to the path and what lies below it', async () => {
    const resource = `${BASE}/api/resource/a`;
    const token = (await h.exchange(assertion, { resource })).body['access_token'];
    expect((await h.call(token, 'GET', '/api/resource/a')).status).toBe(200);
    expect((await h.call(token, 'GET', '/api/resource/a/b')).status).toBe(200);
    expect((await h.call(token, 'GET', '/api/resource/ab')).status).toBe(401);
    expect((await h.call(token, 'GET', '/api/resource')).status).toBe(401);
  });

  it('takes the scheme in any case (BRR-01) [AR-AUTH-1]', async () => {
    const token = String((await h.exchange(assertion)).body['access_token']);
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` };
      expect((await h.send('GET', '/api/resource', { headers })).status).toBe(200);
    }
  });
});

describe('revocation [AR-EP-9] [AR-AUTH-5]', () => {
  const revoke = (fields: Record<string, string>) => h.form('/oauth2/revoke', fields);

  it('ends a token at once, and that one alone (REV-05)', async () => {
    const first = String((await h.exchange(assertion)).body['access_token']);
    const second = (await h.exchange(assertion)).body['access_token'];
    const answer = await revoke({ token: first, token_type_hint: 'refresh_token' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
    expect((await h.call(first)).status).toBe(401);
    expect((await h.call(second)).status).toBe(200);
    expect((await h.exchange(assertion)).status).toBe(200);
  });

  it.each(['at_unknown', 'garbage', 'a.b.c'])('answers 200 for %s as well', async (token) => {
    expect((await revoke({ token })).status).toBe(200);
  });

  it('cannot revoke an assertion', async () => {
    expect(error(await revoke({ token: assertion }))).toEqual([400, 'unsupported_token_type']);
    expect((await h.exchange(assertion)).status).toBe(200);
  });

  it('needs a token, in a form, without client authentication', async () => {
    expect(error(await revoke({}))).toEqual([400, 'invalid_request']);
    expect((await h.post('/oauth2/revoke', { token: 'x' })).status).toBe(415);
    expect((await h.send('GET', '/oauth2/revoke?token=x')).status).toBe(405);
    expect(error(await revoke({ token: 'x', client_secret: 's' }))).toEqual([
      401,
      'invalid_client',
    ]);
  });
});
