import {
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto';
import type { TrustedProvider } from '../support.ts';
import { Fail } from './app.ts';
import { secret } from './db.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Jwt {
  readonly header: Members;
  readonly claims: Members;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

type Verifier = (
  key: KeyObject,
) => { readonly hash: string | null; readonly input: VerifyKeyObjectInput } | undefined;

/** What each algorithm asks of the key; any other algorithm is refused. */
const VERIFIERS: Readonly<Record<string, Verifier>> = {
  ES256: (key) =>
    key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
      ? { hash: 'sha256', input: { key, dsaEncoding: 'ieee-p1363' } }
      : undefined,
  EdDSA: (key) =>
    key.asymmetricKeyType === 'ed25519' ? { hash: null, input: { key } } : undefined,
  RS256: (key) => (strongRsa(key) ? { hash: 'sha256', input: { key } } : undefined),
  PS256: (key) =>
    strongRsa(key) ? { hash: 'sha256', input: { key, padding: 6, saltLength: 32 } } : undefined,
};

function strongRsa(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
}

interface Cached {
  readonly keys: readonly Members[];
  readonly at: number;
}

/** JWTs of trusted providers are verified, our own are signed, without a library. */
export class Jwts {
  readonly #trust: ReadonlyMap<string, string>;
  readonly #own = generateKeyPairSync('ed25519');
  readonly #kid = secret('k');
  readonly #now: () => number;
  readonly #cache = new Map<string, Cached>();

  constructor(trust: readonly TrustedProvider[], now: () => number) {
    this.#now = now;
    this.#trust = new Map(trust.map(({ issuer, jwksUri }) => [issuer, jwksUri]));
  }

  get keySet(): object {
    const jwk = this.#own.publicKey.export({ format: 'jwk' });
    return { keys: [{ ...jwk, kid: this.#kid, use: 'sig', alg: 'EdDSA' }] };
  }

  sign(typ: string, claims: Members): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'EdDSA', typ, kid: this.#kid })}.${part(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#own.privateKey).toString('base64url')}`;
  }

  /** The claims of a JWT that we signed with that `typ`, or undefined. */
  ownClaims(compact: string, typ: string): Members | undefined {
    let jwt: Jwt;
    try {
      jwt = parse(compact);
    } catch {
      return undefined;
    }
    const { alg, kid, typ: said, crit } = jwt.header;
    if (alg !== 'EdDSA' || kid !== this.#kid || said !== typ || crit !== undefined)
      return undefined;
    return verify(null, jwt.signed, this.#own.publicKey, jwt.signature) ? jwt.claims : undefined;
  }

  /** The claims and the issuer of what a trusted provider signed. Throws a Fail. */
  async foreignClaims(
    compact: string,
    typ: string,
  ): Promise<{ readonly iss: string; readonly claims: Members }> {
    const jwt = parse(compact);
    const { alg, kid, crit, b64 } = jwt.header;
    if (
      String(jwt.header['typ'])
        .toLowerCase()
        .replace(/^application\//, '') !== typ
    )
      throw new Fail(400, 'invalid_request', `typ has to be ${typ}.`);
    if (crit !== undefined || b64 !== undefined || typeof kid !== 'string')
      throw new Fail(400, 'invalid_request', 'Send kid, and no crit.');
    const iss = jwt.claims['iss'];
    const uri = typeof iss === 'string' ? this.#trust.get(iss) : undefined;
    if (typeof iss !== 'string' || uri === undefined)
      throw new Fail(400, 'invalid_issuer', 'We do not trust that issuer.');
    const verifier =
      typeof alg === 'string' && Object.hasOwn(VERIFIERS, alg) ? VERIFIERS[alg] : undefined;
    const key = await this.#key(uri, kid, alg);
    const how = key === undefined ? undefined : verifier?.(key);
    if (how === undefined || !verify(how.hash, jwt.signed, how.input, jwt.signature))
      throw new Fail(400, 'invalid_signature', 'The signature is wrong.');
    return { iss, claims: jwt.claims };
  }

  async #key(uri: string, kid: string, alg: unknown): Promise<KeyObject | undefined> {
    const known = this.#cache.get(uri);
    let jwk = known?.keys.find((key) => key['kid'] === kid);
    // An unknown kid asks again at most once in two seconds; what is known is kept for a minute.
    const old =
      known === undefined || this.#now() - known.at > (jwk === undefined ? 2_000 : 60_000);
    if (old) {
      const keys = await fetchKeys(uri);
      this.#cache.set(uri, { keys, at: this.#now() });
      jwk = keys.find((key) => key['kid'] === kid);
    }
    if (jwk === undefined || (jwk['alg'] !== undefined && jwk['alg'] !== alg)) return undefined;
    if (jwk['use'] !== undefined && jwk['use'] !== 'sig') return undefined;
    const uses = jwk['key_ops'];
    if (Array.isArray(uses) && !uses.includes('verify')) return undefined;
    try {
      return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    } catch {
      return undefined;
    }
  }
}

async function fetchKeys(uri: string): Promise<readonly Members[]> {
  try {
    const response = await fetch(uri, { redirect: 'error', signal: AbortSignal.timeout(4_000) });
    const body = (await response.json()) as { readonly keys: readonly Members[] };
    if (!response.ok || !Array.isArray(body.keys)) throw new TypeError('no key set');
    return body.keys;
  } catch {
    throw new Fail(503, 'temporarily_unavailable', 'The keys of the issuer cannot be fetched.');
  }
}

/** Strict: three parts of base64url in their one spelling, two JSON objects. */
function parse(compact: string): Jwt {
  const parts = compact.split('.').map(decode);
  const [head, payload, signature] = parts;
  if (parts.length !== 3 || head === undefined || payload === undefined || signature === undefined)
    throw notJwt();
  const signed = Buffer.from(compact.slice(0, compact.lastIndexOf('.')));
  return { header: object(head), claims: object(payload), signed, signature };
}

function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw notJwt();
  return bytes;
}

function object(bytes: Buffer): Members {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Answered below, with all that is no object.
  }
  throw notJwt();
}

function notJwt(): Fail {
  return new Fail(400, 'invalid_request', 'That is no JWT.');
}
