import type { Signed } from './providers.ts';
import { type Registration, sha256 } from './registrations.ts';
import { emailOf, Refusal, SCOPES, type Site } from './site.ts';

const SKEW = 60;
const LONGEST = 3600;
const OLDEST_SIGN_IN = 3600;

export interface IdJag {
  readonly iss: string;
  readonly sub: string;
  readonly tenant: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly email: string;
  readonly scopes: readonly string[];
  readonly resource?: string;
}

/** Judges the claims in this order: shape, audience, times, email, sign-in. */
export function readIdJag(site: Site, { issuer, claims }: Signed): IdJag {
  const now = site.now() / 1000;
  const [sub, jti] = [textOf(claims, 'sub'), textOf(claims, 'jti')];
  const tenant = claims['tenant'] === undefined ? '' : textOf(claims, 'tenant');
  const [iat, exp] = [numberOf(claims, 'iat'), numberOf(claims, 'exp')];
  if (soleAudience(claims['aud']) !== site.base)
    throw new Refusal(400, 'invalid_audience', 'The assertion is meant for somebody else.');
  if (exp - iat > LONGEST) throw new Refusal(400, 'invalid_request', 'It lives for over an hour.');
  const notBefore = claims['nbf'] === undefined ? iat : numberOf(claims, 'nbf');
  if (now >= exp + SKEW) throw new Refusal(400, 'expired', 'The assertion has expired.');
  if (iat > now + SKEW || notBefore > now + SKEW)
    throw new Refusal(400, 'invalid_request', 'The assertion is not valid yet.');
  if (![issuer, `${issuer}/agent-auth.json`].includes(textOf(claims, 'client_id')))
    throw new Refusal(400, 'invalid_client_id', 'That client is not of this issuer.');
  const resource = resourceOf(site, claims['resource']);
  const email = claims['email_verified'] === true ? emailOf(claims['email']) : undefined;
  if (email === undefined)
    throw new Refusal(400, 'missing_verified_email', 'A verified email is needed.');
  const scopes = scopesOf(claims['scope']);
  judgeSignIn(claims['auth_time'], now);
  return { iss: issuer, sub, tenant, jti, iat, exp, email, scopes, ...resource };
}

function judgeSignIn(authTime: unknown, now: number): void {
  const known = typeof authTime === 'number' && Number.isFinite(authTime);
  if (!known || now - authTime > OLDEST_SIGN_IN || authTime > now + SKEW)
    throw new Refusal(401, 'login_required', 'The user has to sign in at the provider again.', {
      max_age: OLDEST_SIGN_IN,
    });
}

function textOf(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = claims[name];
  const good = typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= 512;
  if (!good || !value.isWellFormed() || value.includes('\0'))
    throw new Refusal(400, 'invalid_request', `The claim ${name} is missing or malformed.`);
  return value;
}

function numberOf(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Refusal(400, 'invalid_request', `The claim ${name} is missing or malformed.`);
  return value;
}

function soleAudience(aud: unknown): unknown {
  return Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
}

function resourceOf(site: Site, resource: unknown): { readonly resource?: string } {
  if (resource === undefined) return {};
  if (resource === site.base || resource === `${site.base}/api/resource`) return { resource };
  throw new Refusal(400, 'invalid_audience', 'That resource is not one of this service.');
}

function scopesOf(scope: unknown): readonly string[] {
  if (scope === undefined) return SCOPES.claimed;
  const asked = typeof scope === 'string' ? scope.split(' ') : [];
  const scopes = SCOPES.claimed.filter((known) => asked.includes(known));
  if (scopes.length === 0)
    throw new Refusal(400, 'invalid_request', 'None of these scopes is known here.');
  return scopes;
}

export interface Accepted {
  readonly registration: Registration;
  /** Set where the user of an account that was there before has to confirm. */
  readonly claimToken?: string;
}

/** What was seen of ID-JAGs, and what a provider took back. */
export class IdJagDesk {
  readonly #seen = new Map<string, number>();
  /** (iss, sub) → the second up to which its ID-JAGs are worth nothing. */
  readonly #revokedUpTo = new Map<string, number>();
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  accept(jag: IdJag): Accepted {
    const { registrations, accounts } = this.#site;
    const key = sha256(JSON.stringify([jag.iss, jag.jti]));
    if (this.#seen.has(key)) throw new Refusal(400, 'replay_detected', 'That was sent before.');
    if (jag.iat <= (this.#revokedUpTo.get(JSON.stringify([jag.iss, jag.sub])) ?? -1))
      throw new Refusal(400, 'expired', 'The provider has revoked this.');
    const found = registrations.bySubject(jag.iss, jag.sub, jag.tenant);
    const usable = found !== undefined && registrations.state(found) !== 'expired';
    const registration = usable ? found : registrations.create('identity_assertion', jag.scopes);
    if (found !== undefined && !usable) found.revoked = true;
    const confirmed = registration.claimed !== undefined;
    const account = accounts.find(jag.email);
    if (!confirmed && account !== undefined) {
      registration.email = account.email;
      // Throws where its codes were guessed at too often.
      const claimToken = registrations.giveClaimToken(registration);
      this.#remember(key, registration, jag);
      return { registration, claimToken };
    }
    if (!confirmed) {
      registration.email = jag.email;
      delete registration.attempt;
      registration.claimed = { accountId: accounts.provision(jag.email).id, at: this.#site.now() };
    }
    this.#remember(key, registration, jag);
    return { registration };
  }

  /** Ends what rests on ID-JAGs of this subject that are not newer than `upTo` (seconds). */
  revoke(iss: string, sub: string, upTo: number): void {
    const key = JSON.stringify([iss, sub]);
    this.#revokedUpTo.set(key, Math.max(upTo, this.#revokedUpTo.get(key) ?? -1));
    for (const registration of this.#site.registrations.all()) {
      const { subject } = registration;
      if (subject?.iss === iss && subject.sub === sub && subject.iat <= upTo)
        registration.revoked = true;
    }
  }

  #remember(key: string, registration: Registration, jag: IdJag): void {
    this.#seen.set(key, jag.exp + SKEW);
    const { iss, sub, tenant, iat } = jag;
    const newest = Math.max(iat, registration.subject?.iat ?? iat);
    registration.subject = { iss, sub, tenant, iat: newest };
    if (iat < newest) return;
    registration.scopes = jag.scopes;
    if (jag.resource === undefined) delete registration.resource;
    else registration.resource = jag.resource;
  }
}
