import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { serviceFaults } from '../conformance/faults/by-name.ts';
import { Harness } from './harness.ts';

/** What becomes of an ID-JAG: the error, or the status without one. */
async function present(h: Harness, assertion: string) {
  const { body, status } = await h.register({ type: 'identity_assertion', assertion });
  return body['error'] ?? status;
}

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
