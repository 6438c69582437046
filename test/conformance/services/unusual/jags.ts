import { compactVerify, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import type { TrustedProvider } from '../support.ts';
import { json, type Reply } from './http.ts';
import { ALL, emailIn, no, type Thing, type World } from './world.ts';

type Claims = Readonly<Record<string, unknown>>;
type Keys = ReturnType<typeof createRemoteJWKSet>;

const ALGS = ['ES256', 'RS256', 'PS256', 'EdDSA'];
const LEEWAY = 30;

/** What is wrong with a JWT of a provider, in the words of neither endpoint. */
class Flaw extends Error {
  readonly kind: 'form' | 'issuer' | 'signature' | 'audience' | 'keys' | 'subject';

  constructor(kind: Flaw['kind'], text: string) {
    super(text);
    this.kind = kind;
  }
}

/** ID-JAGs and events of the providers that are trusted. */
export class Jags {
  readonly #world: World;
  readonly #uris: ReadonlyMap<string, string>;
  readonly #sets = new Map<string, { readonly keys: Keys; readonly minute: number }>();
  readonly #ids = new Set<string>();
  readonly #cut = new Map<string, number>();

  constructor(world: World, trust: readonly TrustedProvider[]) {
    this.#world = world;
    this.#uris = new Map(trust.map(({ issuer, jwksUri }) => [issuer, jwksUri]));
  }

  /** Fetched anew in each minute; where a key is missing, once in each second. */
  #keysOf(iss: string, uri: string, step: number): Keys {
    const minute = Math.floor(this.#world.now() / step);
    const known = this.#sets.get(`${iss} ${step}`);
    if (known?.minute === minute) return known.keys;
    const never = { cooldownDuration: 1e9, cacheMaxAge: 1e9, timeoutDuration: 3000 };
    const keys = createRemoteJWKSet(new URL(uri), never);
    this.#sets.set(`${iss} ${step}`, { keys, minute });
    return keys;
  }

  async #open(
    jwt: string,
    typ: string,
  ): Promise<{ readonly iss: string; readonly claims: Claims }> {
    let claims: Claims;
    try {
      claims = decodeJwt(jwt);
      const { typ: said, crit, kid } = decodeProtectedHeader(jwt);
      const kind = said?.toLowerCase().replace(/^application\//, '');
      if (kind !== typ || crit !== undefined || typeof kid !== 'string') throw new TypeError(typ);
    } catch {
      throw new Flaw('form', `That is no JWT of the type ${typ}.`);
    }
    const iss = claims['iss'];
    const uri = typeof iss === 'string' ? this.#uris.get(iss) : undefined;
    if (typeof iss !== 'string' || uri === undefined)
      throw new Flaw('issuer', 'We do not know that issuer.');
    try {
      const options = { algorithms: ALGS };
      await compactVerify(jwt, this.#keysOf(iss, uri, 60_000), options).catch((error: unknown) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return compactVerify(jwt, this.#keysOf(iss, uri, 1000), options);
      });
    } catch (error) {
      const unreachable =
        error instanceof errors.JWKSTimeout ||
        error instanceof errors.JWKSInvalid ||
        (error instanceof errors.JOSEError ? error.code === 'ERR_JOSE_GENERIC' : isFetch(error));
      throw new Flaw(
        unreachable ? 'keys' : 'signature',
        unreachable ? 'No keys.' : 'Badly signed.',
      );
    }
    return { iss, claims };
  }

  /** As the row of the specification reads: an ID-JAG that verifies establishes the identity. */
  async establish(jwt: string): Promise<Thing> {
    const world = this.#world;
    const { iss, claims } = await this.#open(jwt, 'oauth-id-jag+jwt').catch(forAgents);
    const { sub, tenant = '', jti, iat, email, scope } = judged(world, iss, claims);
    if (iat <= (this.#cut.get(`${iss} ${sub}`) ?? -1))
      throw no(400, 'expired', 'This was revoked.');
    const id = JSON.stringify([iss, jti]);
    if (this.#ids.has(id)) throw no(400, 'replay_detected', 'We have seen this one.');
    this.#ids.add(id);
    const same = [...world.things.values()].find(
      ({ jag, ended }) => !ended && jag?.iss === iss && jag.sub === sub && jag.tenant === tenant,
    );
    const thing = same ?? world.add('identity_assertion');
    thing.email ??= email;
    thing.owner ??= { email: thing.email, at: world.now() };
    if (iat >= (thing.jag?.iat ?? 0)) thing.scope = scope;
    thing.jag = { iss, sub, tenant, iat: Math.max(iat, thing.jag?.iat ?? 0) };
    return thing;
  }

  async hear(jwt: string): Promise<Reply> {
    try {
      const { iss, claims } = await this.#open(jwt, 'secevent+jwt');
      this.#act(iss, claims);
      return { status: 202 };
    } catch (error) {
      if (!(error instanceof Flaw)) throw error;
      const err = ERR[error.kind];
      if (error.kind === 'keys') return { status: 503, headers: { 'RETRY-after': '2' } };
      return json(400, { description: error.message, err }, { 'content-LANGUAGE': 'en-GB' });
    }
  }

  #act(iss: string, claims: Claims): void {
    const { aud, events, iat, jti, toe } = claims;
    if (
      typeof iat !== 'number' ||
      typeof jti !== 'string' ||
      !isObject(events) ||
      Object.keys(events).length === 0
    )
      throw new Flaw('form', 'iat, jti or events is missing.');
    const now = this.#world.now() / 1000;
    if (iat > now + LEEWAY) throw new Flaw('form', 'iat lies ahead.');
    if (![aud].flat().includes(this.#world.issuer))
      throw new Flaw('audience', 'This is for others.');
    if (!Object.keys(events).some((uri) => uri.endsWith('/identity/assertion/revoked'))) return;
    const sub = subject(iss, claims);
    const id = JSON.stringify(['event', iss, jti]);
    if (this.#ids.has(id)) {
      if (this.#world.has('eventRefusedAgain')) throw new Flaw('form', 'We have seen this one.');
      return;
    }
    this.#ids.add(id);
    const upTo = Math.min(typeof toe === 'number' ? toe : iat, now + LEEWAY);
    this.#cut.set(`${iss} ${sub}`, Math.max(upTo, this.#cut.get(`${iss} ${sub}`) ?? -1));
    for (const thing of this.#world.things.values())
      if (thing.jag?.iss === iss && thing.jag.sub === sub && thing.jag.iat <= upTo)
        thing.ended = true;
  }
}

const ERR = {
  form: 'invalid_request',
  issuer: 'invalid_issuer',
  signature: 'authentication_failed',
  audience: 'invalid_audience',
  keys: 'invalid_key',
  subject: 'access_denied',
} as const;

function forAgents(error: unknown): never {
  if (!(error instanceof Flaw)) throw error;
  if (error.kind === 'keys') throw no(503, 'temporarily_unavailable', error.message);
  const codes = { form: 'invalid_request', issuer: 'invalid_issuer' } as const;
  throw no(
    400,
    error.kind in codes ? codes[error.kind as 'form'] : 'invalid_signature',
    error.message,
  );
}

function isFetch(error: unknown): boolean {
  return error instanceof TypeError && /fetch/i.test(error.message);
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function subject(iss: string, { sub, sub_id: id }: Claims): string {
  if (id === undefined && typeof sub === 'string' && sub !== '') return sub;
  if (!isObject(id) || id['format'] !== 'iss_sub' || typeof id['sub'] !== 'string')
    throw new Flaw('form', 'The subject has to be sub, or sub_id of the format iss_sub.');
  if (id['iss'] !== iss) throw new Flaw('subject', 'Speak of your own subjects.');
  if (sub !== undefined && sub !== id['sub']) throw new Flaw('form', 'Two subjects.');
  return id['sub'];
}

interface Judged {
  readonly sub: string;
  readonly tenant: string;
  readonly jti: string;
  readonly iat: number;
  readonly email: string;
  readonly scope: readonly string[];
}

function judged(world: World, iss: string, claims: Claims): Judged {
  const { aud, resource, client_id: client, auth_time: at, email_verified: verified } = claims;
  const now = world.now() / 1000;
  const [sub, jti] = [name(claims['sub']), name(claims['jti'])];
  const tenant = claims['tenant'] === undefined ? '' : name(claims['tenant']);
  const [iat, exp] = [number(claims['iat']), number(claims['exp'])];
  const audiences = [aud].flat();
  if (audiences.length !== 1 || audiences[0] !== world.issuer)
    throw no(400, 'invalid_audience', 'Not for us.');
  if (resource !== undefined && resource !== world.resource)
    throw no(400, 'invalid_audience', 'No such resource.');
  if (now > exp + LEEWAY) throw no(400, 'expired', 'Too late.');
  if (iat > now + LEEWAY || exp - iat > 3600)
    throw no(400, 'invalid_request', 'Too early, or too long.');
  if (claims['nbf'] !== undefined && number(claims['nbf']) > now + LEEWAY)
    throw no(400, 'invalid_request', 'Too early.');
  if (client !== iss && client !== `${iss}/agent-auth.json`)
    throw no(400, 'invalid_client_id', 'Whose client?');
  const email = verified === true ? emailIn(claims['email']) : undefined;
  if (email === undefined) throw no(400, 'missing_verified_email', 'Verify an email first.');
  if (typeof at !== 'number' || now - at > 3600 || at > now + LEEWAY)
    throw no(401, 'login_required', 'Sign in again.', { max_age: 3600 });
  return { sub, tenant, jti, iat, email, scope: scopes(claims['scope']) };
}

function name(value: unknown): string {
  if (typeof value === 'string' && /^[^\0]{1,512}$/s.test(value) && value.isWellFormed())
    return value;
  throw no(400, 'invalid_request', 'A claim is missing, or is no string.');
}

function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw no(400, 'invalid_request', 'A claim is missing, or is no number.');
}

function scopes(scope: unknown): readonly string[] {
  if (scope === undefined) return ALL;
  const asked = typeof scope === 'string' ? scope.split(' ') : [];
  const both = ALL.filter((known) => asked.includes(known));
  if (both.length === 0) throw no(400, 'invalid_request', 'No such scope.');
  return both;
}
