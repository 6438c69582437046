import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { isObject } from '../../http/answer.ts';
import { encodePart, forgeJwt, makeKey } from '../../jwt/forge.ts';
import type { OpenedJwt } from '../../jwt/open.ts';
import { ofRefusal } from './rows.ts';

/** An ID token that is not good: what is wrong with it, and the token. */
export type Forgery = readonly [what: string, token: string];

/** What the provider did not sign as it is. @param elsewhere a host that is not its own. */
export function forgeriesOf(
  { claims, header, input }: OpenedJwt,
  token: string,
  elsewhere: string,
): readonly Forgery[] {
  const key = makeKey();
  const [head = '', , signature = ''] = token.split('.');
  const other = encodePart({ ...claims, sub: `${String(claims['sub'])}x` });
  const flipped = signature.replace(/^.{4}./, (start) =>
    start.endsWith('A') ? `${start.slice(0, 4)}B` : `${start.slice(0, 4)}A`,
  );
  const own = { ...header, alg: key.algorithm };
  return [
    ['signed by another key', forgeJwt(own, claims, key)],
    [
      'signed by the key in its header',
      forgeJwt({ ...own, kid: key.kid, jwk: key.jwk }, claims, key),
    ],
    [
      'of another issuer',
      forgeJwt({ ...own, kid: key.kid }, { ...claims, iss: `https://${elsewhere}` }, key),
    ],
    ['another signature', `${input}.${flipped}`],
    ['other claims under its signature', `${head}.${other}.${signature}`],
  ];
}

/** Who lets the header choose takes a public key for a secret (RFC 8725 §2.1). */
export function macsOf(
  { claims, header }: OpenedJwt,
  keys: readonly unknown[],
): readonly Forgery[] {
  const published = keys.filter(isObject);
  const jwk = published.find(({ kid }) => kid === header['kid']) ?? published[0];
  if (jwk === undefined) return [];
  const input = `${encodePart({ ...header, alg: 'HS256' })}.${encodePart(claims)}`;
  const pem = pemOf(jwk);
  const secrets: readonly (readonly [what: string, secret: string])[] = [
    ...(pem === undefined ? [] : [['its PEM', pem] as const]),
    ['its JWK', JSON.stringify(jwk)],
  ];
  return secrets.map(([what, secret]) => [
    `a MAC by ${what}`,
    `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`,
  ]);
}

/**
 * The key as PEM; undefined for one that Node cannot read: a provider may publish keys of other kinds beside the one
 * that it signs with.
 */
function pemOf(jwk: object): string | undefined {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return String(key.export({ format: 'pem', type: 'spki' }));
  } catch {
    return undefined;
  }
}

/** How a subject token that is not good is refused (RFC 8693 §2.2.2, RFC 6749 §5.2). */
export const notGood = ofRefusal(({ errorCode = '' }) => ({
  ok: ['invalid_grant', 'invalid_request'].includes(errorCode),
}));
