import type { JsonObject } from '../../protocol/index.ts';

/** The instant of every example: 2026-01-01T12:00:00Z, in milliseconds. */
export const SAMPLE_TIME = Date.UTC(2026, 0, 1, 12);

/** A token, an id or a link that is nobody's: 32 characters after its prefix. */
export function sampleToken(prefix: string): string {
  return `${prefix}EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0`;
}

/** A JWT with these claims; its signature is none. */
export function sampleJwt(typ: string, claims: JsonObject, alg = 'ES256'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg, typ, kid: 'example' };
  return `${part(header)}.${part(claims)}.${Buffer.from('no signature').toString('base64url')}`;
}

/** A key set as a mock publishes it; its key is an example (RFC 8037 appendix A.2, RFC 7515 appendix A.3). */
export function sampleKeySet(algorithm: 'ES256' | 'EdDSA'): JsonObject {
  const key =
    algorithm === 'EdDSA'
      ? { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
      : {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
        };
  return { keys: [{ ...key, kid: 'example', use: 'sig', alg: algorithm }] };
}
