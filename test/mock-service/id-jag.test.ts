import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { BASE, Harness, PROVIDER } from './harness.ts';

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});

async function present(assertion: string) {
  const { body, headers, status } = await h.register({ type: 'identity_assertion', assertion });
  return { code: status === 200 ? 'ok' : String(body['error']), status, body, headers };
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('claims of an ID-JAG [AR-AUTH-3]', () => {
  const cases: readonly (readonly [string, () => Record<string, unknown>, string])[] = [
    ['another audience', () => ({ aud: 'https://other.test' }), 'invalid_audience'],
    ['our audience with a slash', () => ({ aud: `${BASE}/` }), 'invalid_audience'],
    ['our audience and another', () => ({ aud: [BASE, 'https://other.test'] }), 'invalid_audience'],
    ['an array of our audience alone', () => ({ aud: [BASE] }), 'ok'],
    ['an empty array of audiences', () => ({ aud: [] }), 'invalid_audience'],
    ['the resource as audience', () => ({ aud: `${BASE}/api/resource` }), 'invalid_audience'],
    ['a client_id that is not the issuer', () => ({ client_id: 'other' }), 'invalid_client_id'],
    [
      'the metadata document as client_id',
      () => ({ client_id: `${PROVIDER}/agent-auth.json` }),
      'ok',
    ],
    ['an end before now', () => ({ exp: h.provider.now - 60 }), 'expired'],
    ['an end within the skew', () => ({ exp: h.provider.now - 59 }), 'ok'],
    ['a start in the future', () => ({ iat: h.provider.now + 61 }), 'expired'],
    ['a start within the skew', () => ({ iat: h.provider.now + 60 }), 'ok'],
    ['nbf in the future', () => ({ nbf: h.provider.now + 61 }), 'expired'],
    ['a life of over an hour', () => ({ exp: h.provider.now + 3601 }), 'invalid_request'],
    ['a life of an hour', () => ({ exp: h.provider.now + 3600 }), 'ok'],
    ['a foreign resource', () => ({ resource: 'https://other.test' }), 'invalid_audience'],
    ['an email that is not verified', () => ({ email_verified: false }), 'missing_verified_email'],
    ['a verified email that is none', () => ({ email: 'alice' }), 'missing_verified_email'],
    ['no email at all', () => ({ email: undefined }), 'missing_verified_email'],
    ['no auth_time', () => ({ auth_time: undefined }), 'login_required'],
    ['auth_time at the limit', () => ({ auth_time: h.provider.now - 3600 }), 'ok'],
    ['auth_time past the limit', () => ({ auth_time: h.provider.now - 3601 }), 'login_required'],
    ['auth_time in the future', () => ({ auth_time: h.provider.now + 300 }), 'login_required'],
    ['no scope of ours', () => ({ scope: 'profile' }), 'invalid_request'],
    ...['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp'].map(
      (name) =>
        [
          `no ${name}`,
          () => ({ [name]: undefined }),
          name === 'iss' ? 'invalid_issuer' : 'invalid_request',
        ] as const,
    ),
    ...['exp', 'iat', 'auth_time'].map(
      (name) => [`${name} as text`, () => ({ [name]: '1767225600' }), 'invalid_request'] as const,
    ),
    ['email_verified as text', () => ({ email_verified: 'true' }), 'invalid_request'],
    ['a number as sub', () => ({ sub: 1 }), 'invalid_request'],
    ['U+0000 in sub', () => ({ sub: 'a\0b' }), 'invalid_request'],
  ];

  it.each(cases)('%s', async (_what, claims, expected) => {
    expect((await present(await h.provider.idJag(claims()))).code).toBe(expected);
  });

  it('take the resource as audience where that is switched on (X-04)', async () => {
    h = await Harness.start({ acceptResourceAudience: true });
    const { code } = await present(await h.provider.idJag({ aud: `${BASE}/api/resource` }));
    expect(code).toBe('ok');
    expect((await present(await h.provider.idJag({ aud: [] }))).code).toBe('invalid_audience');
  });

  it.each([
    ['fractions', () => ({ iat: h.provider.now + 0.1234567, exp: h.provider.now + 60.5 }), 'ok'],
    ['a time before all times', () => ({ iat: -1e300 }), 'invalid_request'],
    ['a time after all times', () => ({ exp: 1e300 }), 'invalid_request'],
  ])('take NumericDates with %s as RFC 7519 says', async (_what, claims, expected) => {
    expect((await present(await h.provider.idJag(claims()))).code).toBe(expected);
  });

  it('say with login_required how fresh a sign-in must be, in body and challenge', async () => {
    const { body, headers, status } = await present(await h.provider.idJag({ auth_time: 1 }));
    expect(status).toBe(401);
    expect(body['max_age']).toBe(3600);
    expect(headers.get('www-authenticate')).toBe(
      'AgentAuth error="login_required", max_age="3600"',
    );
  });
});

describe('header and signature', () => {
  it.each(['none', 'None', 'nOnE', 'HS256', '', 'ES512', 1])(
    'refuse alg %j (A-01)',
    async (alg) => {
      const header = { alg, typ: 'oauth-id-jag+jwt', kid: 'key-1' };
      const { code } = await present(`${part(header)}.${part(h.provider.idJagClaims())}.`);
      expect(code).toBe('invalid_signature');
    },
  );

  it('refuse a public key used as an HMAC secret (A-02)', async () => {
    const jwk = h.provider.keys.get('key-1')?.jwk;
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const forged = await new SignJWT(h.provider.idJagClaims())
      .setProtectedHeader({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: 'key-1' })
      .sign(secret);
    expect((await present(forged)).code).toBe('invalid_signature');
  });

  it('refuse the signature r = s = 0 (A-03)', async () => {
    const [head, body] = (await h.provider.idJag()).split('.');
    const zeros = Buffer.alloc(64).toString('base64url');
    expect((await present(`${head}.${body}.${zeros}`)).code).toBe('invalid_signature');
  });

  it('refuse any changed byte of the signature or the claims [AR-OBJ-1]', async () => {
    const [head = '', , signature = ''] = (await h.provider.idJag()).split('.');
    const other = part({ ...h.provider.idJagClaims(), sub: 'somebody-else' });
    expect((await present(`${head}.${other}.${signature}`)).code).toBe('invalid_signature');
  });

  it('ignore a key that the header brings along, and fetch nothing for it (A-04, A-05)', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    await present(await h.provider.idJag());
    const before = h.provider.fetches;
    for (const header of [
      { jwk },
      { jku: 'https://evil.test/jwks.json' },
      { x5u: 'https://evil.test/cert.pem' },
      { x5c: ['MII'] },
    ]) {
      const forged = await new SignJWT(h.provider.idJagClaims())
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'key-1', ...header })
        .sign(privateKey);
      expect((await present(forged)).code).toBe('invalid_signature');
    }
    expect(h.provider.fetches).toBe(before);
  });

  it.each(['../../dev/null', "' OR 1=1", 'https://evil.test', '', 'x'.repeat(300), undefined, 5])(
    'refuse the kid %.20s (A-06)',
    async (kid) => {
      const [, body = '', signature = ''] = (await h.provider.idJag()).split('.');
      const header = part({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid });
      expect((await present(`${header}.${body}.${signature}`)).code).toBe('invalid_signature');
    },
  );

  it.each(['sub', 'jti', 'tenant', 'client_id', 'email', 'phone_number', 'name', 'resource'])(
    'refuse more than 512 bytes of UTF-8 in %s',
    async (claim) => {
      const { body, status } = await h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({ [claim]: 'é'.repeat(257) }),
      });
      expect([status, body['error']]).toEqual([400, 'invalid_request']);
      expect(body['error_description']).toBe(`The claim ${claim} is longer than 512 bytes.`);
    },
  );

  it.each(['sub', 'jti', 'tenant'])('take 512 bytes in %s', async (claim) => {
    const { code } = await present(await h.provider.idJag({ [claim]: 'é'.repeat(256) }));
    expect(code).toBe('ok');
  });

  it('refuse critical extensions and unencoded payloads (JWT-10)', async () => {
    const [, body = '', signature = ''] = (await h.provider.idJag()).split('.');
    for (const more of [
      { crit: ['exp'], exp: 1 },
      { crit: ['b64'], b64: false },
    ]) {
      const header = part({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'key-1', ...more });
      expect((await present(`${header}.${body}.${signature}`)).code).toBe('invalid_signature');
    }
  });

  it.each([{ crit: ['b64'], b64: true }, { b64: true }, { b64: false }])(
    'refuse any extension, also a known one that is rightly signed: %j',
    async (more) => {
      const assertion = await h.provider.idJag({}, more);
      expect((await present(assertion)).code).toBe('invalid_signature');
    },
  );

  it.each(['JWT', 'secevent+jwt', 'agent-identity+jwt', 'at+jwt', undefined])(
    'refuse the type %s (JWT-08)',
    async (typ) => {
      const { code } = await present(await h.provider.idJag({}, { typ }));
      expect(code).toBe('invalid_request');
    },
  );

  it('take the type with its prefix and in any case', async () => {
    const { code } = await present(
      await h.provider.idJag({}, { typ: 'application/OAuth-ID-JAG+jwt' }),
    );
    expect(code).toBe('ok');
  });

  it('refuse the assertion of the service itself (X-06)', async () => {
    const { body } = await h.register({ type: 'anonymous' });
    expect((await present(String(body['identity_assertion']))).code).toBe('invalid_request');
  });

  it.each(['PS256', 'RS256', 'EdDSA'])('take %s', async (alg) => {
    await h.provider.addKey('other', alg);
    expect((await present(await h.provider.idJag({}, { kid: 'other' }))).code).toBe('ok');
  });

  it('honour what a key is for (JWK-05)', async () => {
    await h.provider.addKey('enc');
    const key = h.provider.keys.get('enc');
    if (key) h.provider.keys.set('enc', { ...key, jwk: { ...key.jwk, use: 'enc' } });
    expect((await present(await h.provider.idJag({}, { kid: 'enc' }))).code).toBe(
      'invalid_signature',
    );
  });
});

describe('issuers', () => {
  it.each(['https://evil.test', `${PROVIDER}/`, PROVIDER.toUpperCase()])(
    'refuses %s without fetching anything (A-09)',
    async (iss) => {
      expect((await present(await h.provider.idJag({ iss }))).code).toBe('invalid_issuer');
      expect(h.provider.fetches).toBe(0);
    },
  );

  it('looks for a key in its own issuer alone (A-07)', async () => {
    const other = 'https://other-provider.test';
    const foreign = await generateKeyPair('ES256');
    const foreignJwk = { ...(await exportJWK(foreign.publicKey)), kid: 'key-1', alg: 'ES256' };
    h = await Harness.start({
      trust: [{ issuer: PROVIDER }, { issuer: other }],
      fetch: async (url) =>
        url.startsWith(other) ? Response.json({ keys: [foreignJwk] }) : h.provider.fetch(url),
    });
    const forged = await new SignJWT(h.provider.idJagClaims())
      .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'key-1' })
      .sign(foreign.privateKey);
    expect((await present(forged)).code).toBe('invalid_signature');
  });

  it('asks to come back when the keys cannot be fetched', async () => {
    h.provider.reachable = false;
    const { code, headers, status } = await present(await h.provider.idJag());
    expect([status, code]).toEqual([503, 'temporarily_unavailable']);
    expect(headers.get('retry-after')).toBe('5');
    h.provider.reachable = true;
    h.clock.advance(2_000);
    expect((await present(await h.provider.idJag())).code).toBe('ok');
  });

  it('asks to come back when an unknown key cannot be looked for; known keys serve on', async () => {
    await present(await h.provider.idJag());
    h.clock.advance(60_000);
    await h.provider.addKey('key-2');
    h.provider.reachable = false;
    for (let again = 0; again < 2; again += 1) {
      const { code } = await present(await h.provider.idJag({}, { kid: 'key-2' }));
      expect(code).toBe('temporarily_unavailable');
    }
    h.clock.advance(600_000);
    expect((await present(await h.provider.idJag())).code).toBe('ok');
  });

  it('asks for keys that no redirect leads to (A-09)', async () => {
    const { provider } = h;
    const asked: unknown[] = [];
    h = await Harness.start({
      fetch: async (url, init) => {
        asked.push(init?.redirect);
        return provider.fetch(url);
      },
    });
    await present(await provider.idJag());
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(['manual']));
  });

  it.each([
    ['rejects with anything', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'followed a redirect',
      async () => Object.defineProperty(Response.json({ keys: [] }), 'redirected', { value: true }),
    ],
  ])('treats a fetch that %s as unreachable', async (_what, fetch) => {
    const { provider } = h;
    h = await Harness.start({ fetch });
    expect((await present(await provider.idJag())).code).toBe('temporarily_unavailable');
  });

  it('finds a new key with one more fetch, and is not driven by random kids (JWK-04, A-40)', async () => {
    expect((await present(await h.provider.idJag())).code).toBe('ok');
    expect(h.provider.fetches).toBe(1);
    for (let i = 0; i < 20; i += 1) {
      await present(await h.provider.idJag({}, { kid: `random-${i}` }));
    }
    expect(h.provider.fetches).toBe(1);
    await h.provider.addKey('key-2');
    h.clock.advance(30_000);
    expect((await present(await h.provider.idJag({}, { kid: 'key-2' }))).code).toBe('ok');
    expect(h.provider.fetches).toBe(2);
  });

  it.each([
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/other' } })],
    ['an endless body', () => new Response('x'.repeat(100_000))],
    ['no keys', () => Response.json({ keys: 'none' })],
  ])('treats %s in place of the keys as unreachable', async (_what, answer) => {
    const own = h;
    h = await Harness.start({ fetch: async () => answer() });
    expect((await present(await own.provider.idJag())).code).toBe('temporarily_unavailable');
  });
});

describe('replay', () => {
  it('is detected, also after a restart on the same store', async () => {
    const assertion = await h.provider.idJag();
    expect((await present(assertion)).code).toBe('ok');
    expect((await present(assertion)).code).toBe('replay_detected');
  });

  it('lets exactly one of fifty parallel requests through (A-10)', async () => {
    const assertion = await h.provider.idJag();
    const answers = await Promise.all(Array.from({ length: 50 }, () => present(assertion)));
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'replay_detected')).toHaveLength(49);
  });

  it('does not burn the jti of what is refused and can be cured', async () => {
    const claims = { ...h.provider.idJagClaims(), jti: 'same' };
    const [head, payload] = (await h.provider.idJag(claims)).split('.');
    const forged = [head, payload, Buffer.alloc(64, 1).toString('base64url')].join('.');
    expect((await present(forged)).code).toBe('invalid_signature');
    expect((await present(await h.provider.idJag({ ...claims, auth_time: 1 }))).code).toBe(
      'login_required',
    );
    expect((await present(await h.provider.idJag({ ...claims, aud: 'x' }))).code).toBe(
      'invalid_audience',
    );
    expect((await present(await h.provider.idJag(claims))).code).toBe('ok');
  });

  it('takes a jti again once the ID-JAG that had it has expired', async () => {
    const first = { ...h.provider.idJagClaims(), jti: 'again', exp: h.provider.now + 60 };
    await h.register({ type: 'identity_assertion', assertion: await h.provider.idJag(first) });
    const send = async () =>
      h.register({
        type: 'identity_assertion',
        assertion: await h.provider.idJag({ jti: 'again' }),
      });
    h.clock.advance(60_000);
    expect((await send()).body['error']).toBe('replay_detected');
    h.clock.advance(60_000);
    const repeated = await h.provider.idJag({ jti: 'again' });
    const redeem = () => h.register({ type: 'identity_assertion', assertion: repeated });
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).body['error']).toBe('replay_detected');
  });

  it('burns the jti of a confirmation that is asked for', async () => {
    h = await Harness.start({ users: [{ email: 'alice@example.com' }] });
    const assertion = await h.provider.idJag();
    expect((await present(assertion)).code).toBe('interaction_required');
    expect((await present(assertion)).code).toBe('replay_detected');
  });
});
