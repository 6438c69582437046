import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';

/** Signs with one ES256 key, and reads what it signed. */
export async function makeSigner(issuer: string, now: () => number) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256', use: 'sig' };
  return {
    keySet: { keys: [jwk] },
    sign: (typ: string, claims: JWTPayload) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'first', typ })
        .setIssuer(issuer)
        .setIssuedAt(Math.floor(now() / 1000))
        .sign(privateKey),
    /** @throws when it is not one of ours, or over. */
    verify: async (token: string, typ: string, audience: string): Promise<JWTPayload> => {
      const options = { algorithms: ['ES256'], typ, issuer, audience };
      const { payload } = await jwtVerify(token, publicKey, {
        ...options,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(now()),
      });
      return payload;
    },
  };
}

export type Signer = Awaited<ReturnType<typeof makeSigner>>;
