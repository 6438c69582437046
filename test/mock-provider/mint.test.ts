import { createLocalJWKSet, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import {
  HOUR,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  idJagClaims,
  JWT_BEARER_GRANT,
  tokenExchangeResponse,
} from '../../src/protocol/index.ts';
import { ed25519Key } from '../support/ed25519.ts';
import { type Answer, Harness, ISSUER, open, SERVICE } from './harness.ts';

const error = ({ status, body }: Answer) => [status, body['error']];

describe('an ID-JAG', () => {
  it('comes as RFC 8693 says (IDJ-12) [AR-DOES-1]', async () => {
    const harness = await Harness.start();
    const answer = await harness.mintWithConsent(await harness.signIn());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(tokenExchangeResponse.safeParse(answer.body).success).toBe(true);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      issued_token_type: ID_JAG_TOKEN_TYPE,
      token_type: 'N_A',
      expires_in: 300,
    });
  });

  it('has exactly the claims of wire contract §3 (IDJ-01 to IDJ-03, IDJ-07)', async () => {
    const harness = await Harness.start();
    const signedInAt = harness.now;
    const idToken = await harness.signIn();
    harness.clock.advance(90_500);
    const { body } = await harness.mintWithConsent(idToken);
    const { header, claims } = open(body['access_token']);
    const { keys } = await harness.jwks();
    expect(header).toEqual({ typ: 'oauth-id-jag+jwt', alg: 'ES256', kid: keys[0]?.kid });
    expect(claims).toEqual({
      iss: ISSUER,
      sub: open(idToken).claims.sub,
      aud: SERVICE,
      client_id: `${ISSUER}/agent-auth.json`,
      jti: expect.stringMatching(/^jag_[\w-]{27}$/),
      iat: harness.now,
      exp: harness.now + 300,
      auth_time: signedInAt,
      email: 'alice@example.com',
      email_verified: true,
    });
    expect(idJagClaims.safeParse(claims).success).toBe(true);
    await jwtVerify(String(body['access_token']), createLocalJWKSet({ keys }), {
      currentDate: new Date(harness.clock.now()),
    });
  });

  it('tells what is known of the user, with the types that the draft names (IDJ-28)', async () => {
    const users = [
      { email: 'alice@example.com', name: 'Alice', phone: '+15551234567', tenant: 'acme' },
      { email: 'bob@example.com', emailVerified: false },
    ];
    const harness = await Harness.start({ users });
    const alice = await harness.mintWithConsent(await harness.signIn());
    expect(open(alice.body['access_token']).claims).toMatchObject({
      name: 'Alice',
      phone_number: '+15551234567',
      phone_number_verified: true,
      tenant: 'acme',
    });
    const idToken = await harness.signIn('bob@example.com');
    const bob = await harness.mintWithConsent(idToken, {}, 'bob@example.com');
    const { claims } = open(bob.body['access_token']);
    expect(claims['email_verified']).toBe(false);
    expect(Object.keys(claims)).not.toContain('phone_number');
  });

  it('is a new one each time, for the same subject', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const first = open((await harness.mintWithConsent(idToken)).body['access_token']).claims;
    const second = open((await harness.mint(idToken)).body['access_token']).claims;
    expect(second.jti).not.toBe(first.jti);
    expect(second.sub).toBe(first.sub);
  });

  it('has a subject of its own for each email and each issuer, at every start (IDJ-04)', async () => {
    const subject = async (email: string, baseUrl = ISSUER) => {
      const harness = await Harness.start({ autoApprove: email, baseUrl });
      const device = await harness.provider.fetch(
        new Request(`${baseUrl}/oauth2/device_authorization`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: 'agent-auth' }),
        }),
      );
      const { device_code } = (await device.json()) as { device_code: string };
      return open((await harness.poll(device_code)).body['id_token']).claims.sub;
    };
    const alice = await subject('alice@example.com');
    expect(await subject('ALICE@example.com')).toBe(alice);
    expect(await subject('bob@example.com')).not.toBe(alice);
    expect(await subject('alice@example.com', 'https://other.test')).not.toBe(alice);
    expect(alice).not.toContain('alice');
  });

  it('is bound to a resource of its audience when one is named (IDJ-11)', async () => {
    const harness = await Harness.start();
    const resource = `${SERVICE}/api/resource`;
    const answer = await harness.mintWithConsent(await harness.signIn(), { resource });
    expect(open(answer.body['access_token']).claims['resource']).toBe(resource);
  });

  it('has the scopes that were asked for, are offered and were agreed to; the answer says which', async () => {
    const harness = await Harness.start({
      audiences: [{ issuer: SERVICE, scopes: ['api.read', 'api.write'] }],
    });
    const idToken = await harness.signIn();
    const narrow = await harness.mintWithConsent(idToken, { scope: 'api.read admin' });
    expect(narrow.body['scope']).toBe('api.read');
    expect(open(narrow.body['access_token']).claims['scope']).toBe('api.read');
    expect((await harness.mint(idToken)).body['scope']).toBe('api.read');
    const step = await harness.mint(idToken, { scope: 'api.write' });
    expect(error(step)).toEqual([400, 'consent_required']);
    await harness.decideConsent(step);
    expect((await harness.mint(idToken)).body['scope']).toBe('api.read api.write');
  });

  it('cannot be traded where it was minted (IDJ-14)', async () => {
    const harness = await Harness.start();
    const { body } = await harness.mintWithConsent(await harness.signIn());
    const idJag = String(body['access_token']);
    const back = await harness.form('/oauth2/token', {
      grant_type: JWT_BEARER_GRANT,
      client_id: 'agent-auth',
      assertion: idJag,
    });
    expect(error(back)).toEqual([400, 'unsupported_grant_type']);
    expect(error(await harness.mint(idJag))).toEqual([400, 'invalid_grant']);
    const own = await harness.mint(await harness.signIn(), { audience: ISSUER });
    expect(error(own)).toEqual([400, 'invalid_target']);
  });

  it('leaves no trace of tokens in the log', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const { body } = await harness.mintWithConsent(idToken);
    const log = JSON.stringify(harness.log.entries);
    expect(log).toContain('provider.minted');
    for (const secret of [idToken, String(body['access_token']), 'alice@example.com']) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('a token exchange is refused', () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ['without requested_token_type', { requested_token_type: undefined }, 'invalid_request'],
    ['for another token type', { requested_token_type: ID_TOKEN_TYPE }, 'invalid_request'],
    ['without audience', { audience: undefined }, 'invalid_request'],
    ['without subject_token', { subject_token: undefined }, 'invalid_request'],
    ['without subject_token_type', { subject_token_type: undefined }, 'invalid_request'],
    [
      'with another subject_token_type',
      { subject_token_type: ID_JAG_TOKEN_TYPE },
      'invalid_request',
    ],
    [
      'with an actor (IDJ-10)',
      { actor_token: 'x', actor_token_type: ID_TOKEN_TYPE },
      'invalid_request',
    ],
    ['with the type of no actor (IDJ-10)', { actor_token_type: ID_TOKEN_TYPE }, 'invalid_request'],
    ['with an empty scope word', { scope: '   ' }, 'invalid_scope'],
    ['with a scope that could split a header', { scope: 'a"b' }, 'invalid_scope'],
    ['with a scope of 513 bytes', { scope: `a ${'b'.repeat(513)}` }, 'invalid_request'],
    [
      'for a resource of more than 512 bytes',
      { resource: `${SERVICE}/${'b'.repeat(512)}` },
      'invalid_request',
    ],
    ['for a relative resource', { resource: '/api' }, 'invalid_target'],
    ['for a resource with a fragment', { resource: `${SERVICE}/api#x` }, 'invalid_target'],
    ['for a resource of somebody else', { resource: 'https://evil.example/api' }, 'invalid_target'],
    ['for a resource over plain http', { resource: 'http://service.test/api' }, 'invalid_target'],
  ])('%s', async (_what, fields, code) => {
    const harness = await Harness.start();
    const answer = await harness.mint(await harness.signIn(), fields);
    expect(error(answer)).toEqual([400, code]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    'service.test',
    'http://service.test',
    'https://user:pass@service.test',
    'https://service.test#x',
    'https://service.test?x=y',
    'https://SERVICE.test',
    'https://service.test:443',
    'https://service.test/a/../b',
    'https://sérvice.test',
    'javascript:alert(1)',
    'file:///etc/passwd',
    `https://service.test/${'a'.repeat(600)}`,
  ])('for an audience that can be no issuer: %s', async (audience) => {
    const harness = await Harness.start();
    expect(error(await harness.mint(await harness.signIn(), { audience }))).toEqual([
      400,
      'invalid_target',
    ]);
  });

  it('for an audience that is not configured, to the letter', async () => {
    const harness = await Harness.start({ audiences: [SERVICE] });
    const idToken = await harness.signIn();
    for (const audience of ['https://other.test', `${SERVICE}//`, `${SERVICE}.evil.example`]) {
      expect(error(await harness.mint(idToken, { audience }))).toEqual([400, 'invalid_target']);
    }
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });

  it('for two audiences (IDC-01)', async () => {
    const harness = await Harness.start();
    const body = `client_id=agent-auth&audience=${SERVICE}&audience=https://other.test`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await harness.send('POST', '/oauth2/token', { body, headers });
    expect(error(answer)).toEqual([400, 'invalid_request']);
  });

  it('when the sign-in is too old, and says how old it may be (IDJ-15)', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    await harness.mintWithConsent(idToken);
    harness.clock.advance(HOUR);
    expect((await harness.mint(idToken)).status).toBe(200);
    harness.clock.advance(1000);
    const answer = await harness.mint(idToken);
    expect(error(answer)).toEqual([400, 'insufficient_user_authentication']);
    expect(answer.body['max_age']).toBe(3600);
  });

  it('when the session is over, at its very end', async () => {
    const harness = await Harness.start({ lifetimes: { idToken: 60_000 } });
    const idToken = await harness.signIn();
    harness.clock.advance(59_999);
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
    harness.clock.advance(1);
    expect(error(await harness.mint(idToken))).toEqual([400, 'invalid_grant']);
  });
});

describe('what is no ID token of this provider', async () => {
  const key = ed25519Key('provider');
  const privateKey = await importJWK(key, 'EdDSA');
  const harness = await Harness.start({ keys: [key] });
  const idToken = await harness.signIn();
  const { claims, header } = open(idToken);
  const [head = '', body = '', signature = ''] = idToken.split('.');
  const sign = (over: object, headerOver: object = {}, signer = privateKey) =>
    new SignJWT({ ...(claims as JWTPayload), ...over })
      .setProtectedHeader({ alg: 'EdDSA', kid: String(header['kid']), typ: 'JWT', ...headerOver })
      .sign(signer);

  it('starts from one that is', async () => {
    expect(error(await harness.mint(await sign({})))).toEqual([400, 'consent_required']);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['no JWT', () => 'x'],
    ['a broken signature', () => `${head}.${body}.${signature.slice(1)}`],
    [
      'alg none',
      () => `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${body}.`,
    ],
    [
      'the key of a stranger',
      async () => sign({}, {}, await importJWK(ed25519Key('other'), 'EdDSA')),
    ],
    ['another issuer', () => sign({ iss: 'https://other.test' })],
    ['another client (IDJ-09)', () => sign({ aud: 'another-client' })],
    ['several clients', () => sign({ aud: ['agent-auth', 'another-client'] })],
    ['an ID-JAG by its type', () => sign({}, { typ: 'oauth-id-jag+jwt' })],
    ['a token without a type', () => sign({}, { typ: undefined })],
    ['an event by its type', () => sign({}, { typ: 'secevent+jwt' })],
    ['an end in the past', () => sign({ exp: harness.now })],
    ['an end that is no number', () => sign({ exp: String(harness.now + 100) as never })],
    ['no end', () => sign({ exp: undefined })],
    ['no auth_time', () => sign({ auth_time: undefined })],
    ['somebody else’s email', () => sign({ email: 'bob@example.com' })],
    ['an email of nobody here', () => sign({ email: 'nobody@example.com', sub: 'usr_x' })],
    [
      'a critical header',
      () =>
        `${Buffer.from(JSON.stringify({ ...header, crit: ['x'], x: 1 })).toString('base64url')}.${body}.${signature}`,
    ],
  ])('%s', async (_what, make) => {
    expect(error(await harness.mint(await make()))).toEqual([400, 'invalid_grant']);
  });
});

describe('a provider that starts again', () => {
  it('knows its sessions and consents from the store, and its keys', async () => {
    const db = await openDatabase();
    const first = await Harness.start({ db });
    const idToken = await first.signIn();
    await first.mintWithConsent(idToken);
    const second = await Harness.start({ db });
    expect((await second.mint(idToken)).status).toBe(200);
    expect(await second.jwks()).toEqual(await first.jwks());
    // The database was given, so it stays open.
    await first.provider.close();
    expect((await second.mint(idToken)).status).toBe(200);
  });
});
