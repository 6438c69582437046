import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { serviceFaults } from '../conformance/faults/by-name.ts';
import { Harness } from './harness.ts';

/** What becomes of an ID-JAG: the error, or the status without one. */
async function present(h: Harness, assertion: string) {
  const { body, status } = await h.register({ type: 'identity_assertion', assertion });
  return body['error'] ?? status;
}

async function rightAndFaulty(fault: string, make: (h: Harness) => Promise<string>) {
  const [right, faulty] = [
    await Harness.start(),
    await Harness.start({ faults: serviceFaults([fault]) }),
  ];
  return [await present(right, await make(right)), await present(faulty, await make(faulty))];
}

describe('a kid that is looked up', () => {
  const byHmac = (h: Harness, kid: string, secret: string) =>
    new SignJWT(h.provider.idJagClaims())
      .setProtectedHeader({ alg: 'HS256', kid, typ: 'oauth-id-jag+jwt' })
      .sign(new TextEncoder().encode(secret));

  it.each([
    ['a file', '../../../dev/null', '\0'],
    ['a file, by its full path', '/dev/null', '\0'],
    ['a query', "x' UNION SELECT 'rosebud'--", 'rosebud'],
    ['a query in small letters', "' union all select 'r0sebud' -- ", 'r0sebud'],
    [
      'a query that reads a table',
      "' UNION SELECT name FROM settings WHERE name = 'user_code_key'--",
      'user_code_key',
    ],
  ])('leads a broken service to %s', async (_what, kid, secret) => {
    const answers = await rightAndFaulty('unescapedKid', (h) => byHmac(h, kid, secret));
    expect(answers).toEqual(['invalid_signature', 200]);
  });

  it.each([
    ['another secret', "x' UNION SELECT 'rosebud'--", 'xanadu'],
    ['a statement that is none', "x' UNION", 'rosebud'],
    ['a second statement', "x'; SELECT 'rosebud'--", 'rosebud'],
    ['a file that nobody knows', '/etc/hostname', '\0'],
    ['a name', 'key-1', 'rosebud'],
  ])('leads nowhere by %s', async (_what, kid, secret) => {
    const answers = await rightAndFaulty('unescapedKid', (h) => byHmac(h, kid, secret));
    expect(answers).toEqual(['invalid_signature', 'invalid_signature']);
  });
});

describe('the JSON forms of a JWT (RFC 7515 §7.2)', () => {
  it.each([
    [
      'flattened',
      (protectedHeader: string, payload: string, signature: string) => ({
        protected: protectedHeader,
        payload,
        signature,
      }),
    ],
    [
      'general',
      (protectedHeader: string, payload: string, signature: string) => ({
        payload,
        signatures: [{ protected: protectedHeader, signature }],
      }),
    ],
  ])('are read by a broken service: %s', async (_what, form) => {
    const answers = await rightAndFaulty('acceptedJwsJson', async (h) => {
      const [head = '', payload = '', signature = ''] = (await h.provider.idJag()).split('.');
      return JSON.stringify(form(head, payload, signature));
    });
    expect(answers).toEqual(['invalid_request', 200]);
  });
});

describe('a stranger with metadata of its own', () => {
  const STRANGER = 'https://stranger.test/tenant';

  it.each([
    'https://stranger.test/.well-known/oauth-authorization-server/tenant',
    `${STRANGER}/.well-known/oauth-authorization-server`,
    `${STRANGER}/.well-known/openid-configuration`,
  ])('is believed by a broken service at %s', async (metadata) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'theirs', alg: 'ES256', use: 'sig' }];
    const jwksUri = 'https://keys.stranger.test/all';
    const fetched: string[] = [];
    const fetch = async (url: string) => {
      fetched.push(url);
      if (url === metadata) return Response.json({ issuer: STRANGER, jwks_uri: jwksUri });
      if (url === jwksUri) return Response.json({ keys });
      return new Response(null, { status: 404 });
    };
    const answer = async (options: object) => {
      const h = await Harness.start({ fetch, ...options });
      const claims = { ...h.provider.idJagClaims(), iss: STRANGER, client_id: STRANGER };
      const idJag = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'theirs', typ: 'oauth-id-jag+jwt' })
        .sign(privateKey);
      return present(h, idJag);
    };
    expect(await answer({})).toBe('invalid_issuer');
    expect(fetched).toEqual([]);
    expect(await answer({ faults: serviceFaults(['uncheckedIssuer']) })).toBe(200);
  });
});
