import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type JwtAlgorithm, type TestKey, testKey } from './forge.ts';

/**
 * Reads the user's signing key: a private JWK, or PEM without a passphrase. Its `kid` and `alg` are kept;
 * by default the thumbprint and the first algorithm that fits the key.
 * @throws Error with one clause that says what is wrong, without quoting the key.
 */
export function readKey(text: string): TestKey {
  const trimmed = text.trim();
  const given = trimmed.startsWith('{') ? parseJwk(trimmed) : {};
  const privateKey = open(trimmed, given);
  const { kid } = given;
  const algorithm = algorithmOf(privateKey, given['alg']);
  return testKey(privateKey, algorithm, typeof kid === 'string' ? kid : undefined);
}

function parseJwk(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error('it is not JSON');
  }
}

function open(text: string, jwk: Readonly<Record<string, unknown>>): KeyObject {
  if (!text.startsWith('{')) {
    try {
      return createPrivateKey(text);
    } catch {
      throw new Error('it is neither a private JWK nor a private key in PEM form');
    }
  }
  if (typeof jwk['d'] !== 'string') throw new Error('the JWK has no private part');
  try {
    return createPrivateKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new Error('the JWK is damaged');
  }
}

/** The algorithms of each key type; the first one is the default. */
const ALGORITHMS: Readonly<Record<string, readonly JwtAlgorithm[]>> = {
  ec: ['ES256'],
  ed25519: ['EdDSA'],
  rsa: ['RS256', 'PS256'],
};

function algorithmOf(key: KeyObject, wanted: unknown): JwtAlgorithm {
  const kind = key.asymmetricKeyType ?? '';
  const possible = ALGORITHMS[kind] ?? [];
  const isOtherCurve = kind === 'ec' && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1';
  const algorithm = wanted === undefined ? possible[0] : possible.find((each) => each === wanted);
  if (algorithm === undefined || isOtherCurve) {
    throw new Error('it is for none of ES256, EdDSA, RS256 and PS256');
  }
  return algorithm;
}
