import { type CryptoKey, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { KeySets, randomText, type ServiceOptions, Sessions } from '../support.ts';
import type { MistakeId } from './mistakes.ts';

export interface Attempt {
  readonly token: string;
  readonly userCode: string;
  readonly until: number;
  wrongCodes: number;
}

export interface Registration {
  readonly id: string;
  readonly kind: 'anonymous' | 'service_auth' | 'identity_assertion';
  status: 'unclaimed' | 'claimed' | 'denied' | 'revoked';
  /** Of the assertion; what was issued under an older one is void. */
  version: number;
  readonly claimToken: string;
  /** End of the outer claim window. */
  readonly claimUntil: number;
  wrongCodes: number;
  /** Whose account may take it over. */
  email?: string;
  attempt?: Attempt;
  /** The provider's user behind it. */
  readonly user?: { readonly iss: string; readonly sub: string };
}

export interface AccessToken {
  readonly registration: Registration;
  readonly version: number;
  readonly scope: string;
  readonly until: number;
}

/** All that the endpoints share. */
export interface Service {
  readonly origin: string;
  readonly now: () => number;
  readonly has: (mistake: MistakeId) => boolean;
  readonly keys: KeySets;
  readonly sessions: Sessions;
  readonly registrations: Map<string, Registration>;
  readonly accessTokens: Map<string, AccessToken>;
  /** Emails that have an account. */
  readonly accounts: Set<string>;
  /** `[iss, sub]` as JSON → email of the account. */
  readonly links: Map<string, string>;
  /** `[iss, jti]` of ID-JAGs that were used → until when that matters. */
  readonly usedIdJags: Map<string, number>;
  readonly seenEvents: Set<string>;
  /** `[iss, sub]` → second of the last revocation. */
  readonly revokedUsers: Map<string, number>;
  readonly signingKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

const ASSERTION_TYP = 'identity-assertion+jwt';
const ASSERTION_SECONDS = 3600;
const CLAIM_WINDOW = 24 * 3_600_000;

export async function createService(
  origin: string,
  options: ServiceOptions,
  has: (mistake: MistakeId) => boolean,
): Promise<Service> {
  const now = options.now ?? Date.now;
  const pair = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'service-1', alg: 'ES256', use: 'sig' };
  return {
    origin,
    now,
    has,
    keys: new KeySets(options.trust ?? [], now),
    sessions: new Sessions('session', now, !has('no-csrf')),
    registrations: new Map(),
    accessTokens: new Map(),
    accounts: new Set(),
    links: new Map(),
    usedIdJags: new Map(),
    seenEvents: new Set(),
    revokedUsers: new Map(),
    signingKey: pair.privateKey,
    publicKey: pair.publicKey,
    publicJwk: jwk,
  };
}

export function addRegistration(
  service: Service,
  of: Pick<Registration, 'kind' | 'status' | 'email' | 'user'>,
): Registration {
  const registration: Registration = {
    ...of,
    id: `reg_${randomText(12)}`,
    version: 1,
    claimToken: `clm_${randomText()}`,
    claimUntil: service.now() + CLAIM_WINDOW,
    wrongCodes: 0,
  };
  service.registrations.set(registration.id, registration);
  return registration;
}

export function findByClaimToken(service: Service, token: unknown): Registration | undefined {
  return [...service.registrations.values()].find((one) => one.claimToken === token);
}

export async function signAssertion(service: Service, registration: Registration) {
  const seconds = Math.floor(service.now() / 1000);
  const expires = seconds + ASSERTION_SECONDS;
  const assertion = await new SignJWT({ ver: registration.version })
    .setProtectedHeader({ alg: 'ES256', kid: 'service-1', typ: ASSERTION_TYP })
    .setIssuer(service.origin)
    .setAudience(service.origin)
    .setSubject(registration.id)
    .setJti(randomText(12))
    .setIssuedAt(seconds)
    .setExpirationTime(expires)
    .sign(service.signingKey);
  return {
    identity_assertion: assertion,
    assertion_expires: new Date(expires * 1000).toISOString(),
  };
}

/** The live registration that the assertion stands for; undefined when it does not hold. */
export async function openAssertion(
  service: Service,
  assertion: string,
): Promise<Registration | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, service.publicKey, {
      algorithms: ['ES256'],
      typ: ASSERTION_TYP,
      issuer: service.origin,
      audience: service.origin,
      requiredClaims: ['exp'],
      currentDate: new Date(service.now()),
    });
    const registration = service.registrations.get(payload.sub ?? '');
    const isCurrent = payload['ver'] === registration?.version;
    return isCurrent && registration?.status !== 'revoked' ? registration : undefined;
  } catch {
    return undefined;
  }
}

export function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
