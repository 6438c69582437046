import { importJWK, importPKCS8, type JWK, SignJWT } from 'jose';
import { isJsonObject, MINUTE, parseJsonObject, SECOND } from '../../protocol/index.ts';
import { type Random, randomToken } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';

/** The algorithms in the order in which they are tried with a key that does not say what it is for. */
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'ES384', 'ES512'];

interface Signing {
  /** The server that the assertion is for. */
  readonly issuer: string;
  /** What it may be signed with; `undefined`: the server does not say. */
  readonly algorithms: readonly string[] | undefined;
  readonly clientId: string;
  /** PEM (PKCS #8) or JWK. */
  readonly key: string;
  /** The server's time. */
  readonly now: number;
  readonly random: Random;
}

/** What `private_key_jwt` shows (RFC 7523 §3): for this server alone, a minute, and once. */
export async function clientAssertion({
  algorithms,
  clientId,
  issuer,
  key: text,
  now,
  random,
}: Signing): Promise<string> {
  const { alg, key, kid } = await signingKey(text, algorithms);
  const seconds = Math.floor(now / SECOND);
  return new SignJWT({})
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + MINUTE / SECOND)
    .setJti(randomToken(random, ''))
    .sign(key);
}

/** @throws AgentError `bad_client` for what is no private key, or none that the server takes. */
async function signingKey(text: string, taken: readonly string[] | undefined) {
  const jwk = readJwk(text);
  const fitting = ALGORITHMS.filter((alg) => taken?.includes(alg) ?? true);
  const algorithms = jwk?.alg === undefined ? fitting : [jwk.alg];
  for (const alg of algorithms) {
    try {
      const key = jwk === undefined ? await importPKCS8(text, alg) : await importJWK(jwk, alg);
      // A public or a symmetric key signs nothing here.
      if (key instanceof Uint8Array || key.type !== 'private') break;
      return { alg, key, kid: jwk?.kid };
    } catch {
      // It is of another kind.
    }
  }
  throw new AgentError('The key of the client cannot sign for this server.', {
    code: 'bad_client',
    hint: `A private key as PEM (PKCS #8) or JWK, for one of ${fitting.join(', ')}.`,
  });
}

function readJwk(text: string): JWK | undefined {
  const read = parseJsonObject(text);
  if (!read.ok) return undefined;
  const { keys } = read.value;
  const only: unknown = Array.isArray(keys) && keys.length === 1 ? keys[0] : read.value;
  return isJsonObject(only) ? (only as JWK) : undefined;
}
