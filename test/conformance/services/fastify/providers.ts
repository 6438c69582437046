import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import type { TrustedProvider } from '../support.ts';
import type { Subject } from './agents.ts';
import { type Config, HttpProblem, LIFE, SCOPES } from './config.ts';
import { emailOf } from './users.ts';

const ALGORITHMS = ['ES256', 'EdDSA', 'RS256', 'PS256'];
const KEYS_FRESH = 300_000;
/** Between two fetches for keys that we do not know. */
const KEYS_APART = 30_000;
const LARGEST_KEY_SET = 200_000;

export interface Identity {
  readonly subject: Subject;
  readonly email: string;
  readonly scopes: readonly string[];
  readonly iat: number;
  readonly jti: string;
  /** Seconds. */
  readonly exp: number;
}

interface Cached {
  readonly set: JSONWebKeySet;
  readonly at: number;
}

/** Those whose word about users we take. */
export class Providers {
  readonly #config: Config;
  readonly #cache = new Map<string, Cached>();
  /** What was seen of providers: → until when that is remembered, in seconds. */
  readonly #seen = new Map<string, number>();
  /** Subject → the `iat` up to which nothing counts any more. */
  readonly #cutoffs = new Map<string, number>();

  constructor(config: Config) {
    this.#config = config;
  }

  get #now(): number {
    return this.#config.now() / 1000;
  }

  /** Whether this is the first time; remembers it. */
  once(key: readonly string[], until: number): boolean {
    const id = JSON.stringify(key);
    for (const [each, end] of this.#seen) if (end <= this.#now) this.#seen.delete(each);
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, until);
    return true;
  }

  cutOff(subject: Subject, iat: number): void {
    const key = JSON.stringify(subject);
    this.#cutoffs.set(key, Math.max(iat, this.#cutoffs.get(key) ?? 0));
  }

  /** @throws HttpProblem that says what is wrong with an ID-JAG. */
  async verifyIdJag(assertion: string): Promise<Identity> {
    const claims = await this.#verified(assertion, 'oauth-id-jag+jwt');
    const { issuer } = this.#config;
    const audience =
      Array.isArray(claims.aud) && claims.aud.length === 1 ? claims.aud[0] : claims.aud;
    if (audience !== issuer) throw bad('invalid_audience', 'The ID-JAG is for another service.');
    const resource = claims['resource'];
    if (
      resource !== undefined &&
      ![issuer, `${issuer}/`, `${issuer}/api/resource`].includes(String(resource))
    ) {
      throw bad('invalid_audience', 'The ID-JAG is for another resource.');
    }
    const { iat, exp } = this.#checkTimes(claims);
    const client = claims['client_id'];
    if (client === undefined) throw bad('invalid_request', 'The ID-JAG has no client_id.');
    if (![claims.iss, `${claims.iss}/agent-auth.json`].includes(String(client))) {
      throw bad('invalid_client_id', 'The client is not the one of the provider.');
    }
    const email = claims['email_verified'] === true ? emailOf(claims['email']) : undefined;
    if (email === undefined) throw bad('missing_verified_email', 'There is no verified email.');
    this.#checkSignIn(claims['auth_time']);
    const subject = subjectIn(claims);
    if (iat <= (this.#cutoffs.get(JSON.stringify(subject)) ?? Number.NEGATIVE_INFINITY)) {
      throw bad('expired', 'The provider has revoked it.');
    }
    return { subject, email, scopes: scopesIn(claims), iat, exp, jti: required(claims, 'jti') };
  }

  #checkTimes(claims: JWTPayload): { readonly iat: number; readonly exp: number } {
    const iat = seconds(claims.iat, 'iat');
    const exp = seconds(claims.exp, 'exp');
    const nbf = claims.nbf === undefined ? iat : seconds(claims.nbf, 'nbf');
    if (exp - iat > LIFE.idJag) throw bad('invalid_request', 'The ID-JAG lives too long.');
    if (exp <= this.#now - LIFE.skew) throw bad('expired', 'The ID-JAG has expired.');
    if (Math.max(iat, nbf) > this.#now + LIFE.skew)
      throw bad('expired', 'The ID-JAG is of the future.');
    return { iat, exp };
  }

  #checkSignIn(time: unknown): void {
    const age = typeof time === 'number' ? this.#now - time : Number.NaN;
    if (age >= -LIFE.skew && age < LIFE.signIn) return;
    throw new HttpProblem(401, 'login_required', 'The user has to sign in again.', {
      extra: { max_age: LIFE.signIn },
      headers: { 'www-authenticate': `AgentAuth error="login_required", max_age=${LIFE.signIn}` },
    });
  }

  /** The claims of a security event. @throws HttpProblem */
  async verifyEvent(jwt: string): Promise<JWTPayload> {
    const claims = await this.#verified(jwt, 'secevent+jwt');
    if (![claims.aud].flat().includes(this.#config.issuer)) {
      throw bad('invalid_audience', 'The event is for another receiver.');
    }
    seconds(claims.iat, 'iat');
    required(claims, 'jti');
    return claims;
  }

  async #verified(jwt: string, typ: string): Promise<JWTPayload> {
    const { claims, header } = parsed(jwt);
    const said = String(header.typ)
      .toLowerCase()
      .replace(/^application\//, '');
    if (said !== typ) throw bad('invalid_request', `The JWT is no ${typ}.`);
    if (header.crit !== undefined || 'b64' in header)
      throw bad('invalid_request', 'crit is not known.');
    const iss = required(claims, 'iss');
    const provider = this.#config.providers.find(({ issuer }) => issuer === iss);
    if (provider === undefined) throw bad('invalid_issuer', 'The issuer is not trusted.');
    const set = await this.#keysFor(provider, header.kid);
    try {
      await compactVerify(jwt, createLocalJWKSet(set), { algorithms: ALGORITHMS });
    } catch {
      throw bad('invalid_signature', 'The signature does not hold.');
    }
    return claims;
  }

  /** Kept for a while; asked for again where a key is not among them. */
  async #keysFor(provider: TrustedProvider, kid: string | undefined): Promise<JSONWebKeySet> {
    const cached = this.#cache.get(provider.issuer);
    const age = cached === undefined ? Number.POSITIVE_INFINITY : this.#config.now() - cached.at;
    const isKnown = cached?.set.keys.some((key) => key.kid === kid);
    if (cached !== undefined && age < (isKnown ? KEYS_FRESH : KEYS_APART)) return cached.set;
    const set = await fetchKeySet(provider.jwksUri);
    this.#cache.set(provider.issuer, { set, at: this.#config.now() });
    return set;
  }
}

async function fetchKeySet(url: string): Promise<JSONWebKeySet> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(4000) });
    const length = Number(answer.headers.get('content-length') ?? 0);
    if (!answer.ok || length > LARGEST_KEY_SET) throw new Error(`answered ${answer.status}`);
    const text = await limitedText(answer);
    const set = JSON.parse(text) as Partial<JSONWebKeySet>;
    if (!Array.isArray(set.keys)) throw new Error('no key set');
    return { keys: set.keys.filter((key) => typeof key === 'object' && key !== null) };
  } catch {
    throw new HttpProblem(
      503,
      'temporarily_unavailable',
      'The keys of the provider are out of reach.',
      {
        headers: { 'retry-after': '60' },
      },
    );
  }
}

async function limitedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > LARGEST_KEY_SET) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(jwt: string) {
  try {
    return { claims: decodeJwt(jwt), header: decodeProtectedHeader(jwt) };
  } catch {
    throw bad('invalid_request', 'It is not a JWT.');
  }
}

/** The subject that claims name, in their issuer's and tenant's world. */
export function subjectIn(claims: JWTPayload): Subject {
  const tenant = claims['tenant'] === undefined ? undefined : required(claims, 'tenant');
  return { issuer: required(claims, 'iss'), tenant, sub: required(claims, 'sub') };
}

function scopesIn({ scope }: JWTPayload): readonly string[] {
  if (scope === undefined) return SCOPES;
  if (typeof scope !== 'string') throw bad('invalid_request', 'scope has to be a string.');
  const wanted = new Set(scope.split(' '));
  const granted = SCOPES.filter((each) => wanted.has(each));
  if (granted.length === 0) throw bad('invalid_request', 'There is no scope of ours in it.');
  return granted;
}

function required(claims: JWTPayload, name: string): string {
  const value = claims[name];
  const isText =
    typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0');
  if (!isText || Buffer.byteLength(value) > 512)
    throw bad('invalid_request', `${name} is missing or ill-formed.`);
  return value;
}

function seconds(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw bad('invalid_request', `${name} has to be a number.`);
}

function bad(code: string, message: string): HttpProblem {
  return new HttpProblem(400, code, message);
}
