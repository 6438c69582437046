import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { json, listen, randomText, type TrustedProvider } from './support.ts';

/** A provider for the tests: a key set on loopback, and an ID-JAG. */
export interface TestProvider {
  readonly trust: TrustedProvider;
  idJag(audience: string): Promise<string>;
  close(): Promise<void>;
}

export async function startTestProvider(now: () => number): Promise<TestProvider> {
  const key = await newKey('p1');
  const keySet = () => json(200, { keys: [key.jwk] });
  const { origin, close } = await listen(() => ({ '/.well-known/jwks.json': { GET: keySet } }));
  const seconds = () => Math.floor(now() / 1000);
  const sign = (claims: JWTPayload) =>
    new SignJWT({ iss: origin, jti: randomText(9), iat: seconds(), ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.jwk.kid, typ: 'oauth-id-jag+jwt' })
      .sign(key.privateKey);
  return {
    trust: { issuer: origin, jwksUri: `${origin}/.well-known/jwks.json` },
    idJag: (aud) =>
      sign({
        aud,
        sub: 'user-1',
        client_id: 'https://agent.example/client.json',
        email: 'ada@example.com',
        email_verified: true,
        exp: seconds() + 300,
      }),
    close,
  };
}

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}
