import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { forgeJwt, makeKey } from '../../../src/conformance/jwt/forge.ts';
import { openJwt } from '../../../src/conformance/jwt/open.ts';
import { macsOf } from '../../../src/conformance/provider/steps/forged-id-tokens.ts';

const key = makeKey();
const token = openJwt(forgeJwt({ alg: 'ES256', kid: 'k' }, { sub: 'alice' }, key));

function casesOf(...keys: readonly unknown[]): readonly string[] {
  if (token === undefined) throw new Error('The token is no JWT.');
  return macsOf(token, keys).map(([what]) => what);
}

it('takes the published key for a secret, as its PEM and as its JWK', () => {
  const jwk = { ...key.jwk, kid: 'k' };
  expect(casesOf({ kty: 'RSA', kid: 'other' }, jwk)).toEqual([
    'a MAC by its PEM',
    'a MAC by its JWK',
  ]);
  const [, byJwk = ['', '']] = token === undefined ? [] : macsOf(token, [jwk]);
  const [head, claims, mac] = byJwk[1].split('.');
  const expected = createHmac('sha256', JSON.stringify(jwk)).update(`${head}.${claims}`);
  expect(mac).toBe(expected.digest('base64url'));
});

it.each([
  ['a key of a kind that Node does not know', { kty: 'XYZ', kid: 'k', pub: 'AA' }],
  ['a secret', { kty: 'oct', kid: 'k', k: 'AA' }],
  ['a key without its kind', { kid: 'k' }],
])('leaves out the PEM alone of %s', (_what, jwk) => {
  expect(casesOf(jwk)).toEqual(['a MAC by its JWK']);
});

it('forges nothing by the keys of a provider that publishes none', () => {
  expect(casesOf()).toEqual([]);
});
