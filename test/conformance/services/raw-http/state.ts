import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { ServiceOptions, TrustedProvider } from '../support.ts';
import type { BugId } from './bugs.ts';
import { Passwords, STAFF } from './passwords.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const READ = 'api.read';
export const WRITE = 'api.write';

export type Kind = 'anonymous' | 'service_auth' | 'identity_assertion';

/** One code with its link. A later one of the same registration takes its place. */
export interface Attempt {
  readonly key: string;
  readonly codeMac: string;
  readonly ends: number;
  wrong: number;
  denied: boolean;
  interval: number;
  polled: number | undefined;
}

export interface Registration {
  readonly id: string;
  readonly kind: Kind;
  readonly ends: number;
  /** Who has it, or is asked to have it. */
  email: string | undefined;
  scopes: readonly string[];
  /** Who speaks for the user: issuer, tenant and subject. */
  subject: string | undefined;
  provider: string | undefined;
  /** `iat` of the newest ID-JAG. */
  vouchedAt: number;
  version: 1 | 2;
  claimKey: string | undefined;
  attempt: Attempt | undefined;
  wrong: number;
  claimedAt: number | undefined;
  revoked: boolean;
  delivered:
    | { readonly at: number; readonly assertion: string; readonly expires: number }
    | undefined;
}

export interface AccessToken {
  readonly registration: Registration;
  readonly scopes: readonly string[];
  readonly ends: number;
}

export interface Session {
  email: string | undefined;
  readonly csrf: string;
  readonly ends: number;
  /** What the first step of the sign-in was given. */
  typed: string | undefined;
  /** With the bug `tries-per-session`: how many codes were wrong. */
  wrong: number;
}

export interface KeySet {
  readonly keys: readonly JsonWebKey[];
  readonly fetchedAt: number;
}

/** All that the service knows. There is one, and everything gets it as its first argument. */
export interface State {
  readonly origin: string;
  readonly now: () => number;
  readonly trust: readonly TrustedProvider[];
  readonly signer: { readonly key: KeyObject; readonly jwk: JsonWebKey };
  readonly pepper: Buffer;
  readonly registrations: Map<string, Registration>;
  /** Hash of the claim token, or of the attempt's → its registration. */
  readonly byClaim: Map<string, Registration>;
  readonly byAttempt: Map<string, Registration>;
  /** Subject → the registration that it has. */
  readonly bySubject: Map<string, Registration>;
  readonly tokens: Map<string, AccessToken>;
  readonly sessions: Map<string, Session>;
  /** Email → whether somebody can sign in to the account, or an ID-JAG alone made it. */
  readonly users: Map<string, 'staff' | 'provisioned'>;
  readonly passwords: Passwords;
  /** `jti` of foreign tokens → until when it is kept. */
  readonly seen: Map<string, number>;
  /** Subject → the instant, in seconds, up to which its provider took everything back. */
  readonly takenBack: Map<string, number>;
  readonly keySets: Map<string, KeySet>;
  /** With the bug `cached-introspection`: tokens that were found in force once. */
  readonly looked: Map<string, AccessToken>;
  readonly has: (bug: BugId) => boolean;
}

export function createState(origin: string, options: ServiceOptions): State {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: secret(6) };
  const { now = Date.now } = options;
  return {
    origin,
    now,
    trust: options.trust ?? [],
    signer: { key: privateKey, jwk },
    pepper: randomBytes(32),
    registrations: new Map(),
    byClaim: new Map(),
    byAttempt: new Map(),
    bySubject: new Map(),
    tokens: new Map(),
    sessions: new Map(),
    users: new Map(STAFF.map(([email]) => [email, 'staff'])),
    passwords: new Passwords(now),
    seen: new Map(),
    takenBack: new Map(),
    keySets: new Map(),
    looked: new Map(),
    has: (bug) => options.bug === bug,
  };
}

export function secret(bytes = 24): string {
  return randomBytes(bytes).toString('base64url');
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function macOf({ pepper }: State, text: string): string {
  return createHmac('sha256', pepper).update(text).digest('base64url');
}

export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Takes a registration and all that rests on it out of force, for good. */
export function revoke(state: State, registration: Registration): void {
  registration.revoked = true;
  endTokens(state, registration);
  if (registration.subject !== undefined) state.bySubject.delete(registration.subject);
}

export function endTokens(state: State, registration: Registration): void {
  for (const [key, token] of state.tokens) {
    if (token.registration === registration) state.tokens.delete(key);
  }
}

/** Remembers an id of somebody else until `ends`, in milliseconds. Whether it is new. */
export function isFirst(state: State, id: string, ends: number): boolean {
  const now = state.now();
  for (const [known, end] of state.seen) if (end <= now) state.seen.delete(known);
  if (state.seen.has(id)) return false;
  state.seen.set(id, ends);
  return true;
}
