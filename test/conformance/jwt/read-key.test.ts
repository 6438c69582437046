import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type JwtAlgorithm, makeKey, thumbprint } from '../../../src/conformance/jwt/forge.ts';
import { readKey } from '../../../src/conformance/jwt/read-key.ts';

const ALGORITHMS: readonly JwtAlgorithm[] = ['ES256', 'EdDSA', 'RS256'];

describe('a signing key that was given', () => {
  it.each(ALGORITHMS)('of %s is read from PEM and from a JWK alike', (algorithm) => {
    const made = makeKey(algorithm);
    const pem = made.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const jwk = JSON.stringify(made.privateKey.export({ format: 'jwk' }));
    for (const text of [pem, jwk, `\n${pem}\n`]) {
      const { kid, jwk: published, algorithm: read } = readKey(text);
      expect([read, kid]).toEqual([algorithm, thumbprint(made.jwk)]);
      expect(published).toEqual(made.jwk);
    }
  });

  it('keeps its kid and its algorithm, and publishes nothing private', () => {
    const jwk = makeKey('RS256').privateKey.export({ format: 'jwk' });
    const read = readKey(JSON.stringify({ ...jwk, kid: 'mine', alg: 'PS256' }));
    expect([read.kid, read.algorithm]).toEqual(['mine', 'PS256']);
    expect(Object.keys(read.jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const es256 = makeKey();
  it.each<[what: string, text: string, message: string]>([
    ['nothing', '', 'it is neither'],
    ['a public key', es256.publicKey.export({ format: 'pem', type: 'spki' }).toString(), 'neither'],
    ['a public JWK', JSON.stringify(es256.jwk), 'no private part'],
    ['half a JWK', '{"kty":', 'not JSON'],
    ['a damaged JWK', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}', 'damaged'],
    ['another curve', p384.export({ format: 'pem', type: 'pkcs8' }).toString(), 'none of ES256'],
    [
      'an algorithm of another kind',
      JSON.stringify({ ...es256.privateKey.export({ format: 'jwk' }), alg: 'RS256' }),
      'none of ES256',
    ],
  ])('is refused when it is %s', (_what, text, message) => {
    expect(() => readKey(text)).toThrow(message);
  });
});
