import { generateKeyPairSync, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  encodePart,
  forgeJwt,
  type JwtAlgorithm,
  makeKey,
  thumbprint,
} from '../../../src/conformance/jwt/forge.ts';
import { type OpenedJwt, openJwt, signatureProblem } from '../../../src/conformance/jwt/open.ts';

const CLAIMS = { iss: 'https://provider.example' };

function opened(token: string): OpenedJwt {
  const jwt = openJwt(token);
  if (jwt === undefined) throw new Error('It is not a JWT.');
  return jwt;
}

describe('a JWT that is judged', () => {
  const key = makeKey();
  const token = forgeJwt({ alg: 'ES256', kid: key.kid }, CLAIMS, key);
  const [head = '', body = '', signature = ''] = token.split('.');

  it('is read as it is', () => {
    expect(openJwt(token)).toMatchObject({ header: { kid: key.kid }, claims: CLAIMS });
  });

  it.each([
    ['two parts', `${head}.${body}`],
    ['four parts', `${token}.${signature}`],
    ['no signature', `${head}.${body}.`],
    ['padding', `${head}.${body}.${signature}=`],
    ['the other alphabet', `${head}.${body}.+${signature.slice(1)}`],
    ['a line break', `${head}.${body}\n.${signature}`],
    ['a header that is a list', `${encodePart('[]')}.${body}.${signature}`],
    ['claims that are no JSON', `${head}.${encodePart('{')}.${signature}`],
  ])('is none with %s', (_what, text) => {
    expect(openJwt(text)).toBeUndefined();
  });
});

describe('a signature that is judged', () => {
  it.each<JwtAlgorithm>(['ES256', 'EdDSA', 'RS256', 'PS256'])('of %s is good', (algorithm) => {
    const key = makeKey(algorithm, 1024);
    const token = forgeJwt({ alg: algorithm, kid: key.kid }, CLAIMS, key);
    expect(signatureProblem(opened(token), [key.jwk])).toBeUndefined();
    const [head, , signature] = token.split('.');
    const changed = opened(`${head}.${encodePart({ ...CLAIMS, sub: 'x' })}.${signature}`);
    expect(signatureProblem(changed, [key.jwk])).toContain('is not by the published key');
  });

  it('is by the key of its kid, and by any where it names none', () => {
    const [key, other] = [makeKey(), makeKey()];
    const named = opened(forgeJwt({ alg: 'ES256', kid: other.kid }, CLAIMS, key));
    expect(signatureProblem(named, [key.jwk])).toContain('no key of the set has its kid');
    expect(signatureProblem(named, [key.jwk, other.jwk])).toContain('is not by the published key');
    const nameless = opened(forgeJwt({ alg: 'ES256' }, CLAIMS, key));
    expect(signatureProblem(nameless, [other.jwk, key.jwk])).toBeUndefined();
    expect(signatureProblem(nameless, [other.jwk])).toContain('is not by any published key');
    expect(signatureProblem(nameless, [])).toBe('the set has no keys');
  });

  it('of ES256 is by no other curve (RFC 7518 §3.4)', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'p384' };
    const input = `${encodePart({ alg: 'ES256', kid: 'p384' })}.${encodePart(CLAIMS)}`;
    const made = sign('sha256', Buffer.from(input), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    const jwt = opened(`${input}.${made.toString('base64url')}`);
    expect(signatureProblem(jwt, [jwk])).toContain('is not by the published key');
  });

  it('of an unsupported algorithm is invalid', () => {
    const key = makeKey();
    const jwt = opened(forgeJwt({ alg: 'ES384', kid: key.kid }, CLAIMS, key));
    expect(signatureProblem(jwt, [key.jwk])).toBeDefined();
  });
});

describe('a thumbprint', () => {
  it('is that of RFC 7638 §3.1', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    const jwk = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' };
    expect(thumbprint(jwk)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  it.each<JwtAlgorithm>(['ES256', 'EdDSA'])(
    'of a key for %s is the one of jose',
    async (algorithm) => {
      const { jwk, kid } = makeKey(algorithm);
      expect(kid).toBe(await calculateJwkThumbprint(jwk, 'sha256'));
    },
  );

  it('is empty for a kind that has no required members here', () => {
    expect(thumbprint({ kty: 'oct', k: 'AAAA' })).toBe('');
  });
});
