import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { LIFE, Refusal } from './site.ts';

const MAX_TRIES = 5;
const MAX_TRIES_IN_ALL = 20;

export interface Attempt {
  readonly token: string;
  readonly code: string;
  readonly endsAt: number;
  wrong: number;
  denied: boolean;
  interval: number;
  polledAt?: number;
}

export interface Registration {
  readonly id: string;
  readonly type: 'anonymous' | 'service_auth' | 'identity_assertion';
  readonly createdAt: number;
  email?: string;
  claimToken?: string;
  windowEndsAt: number;
  attempt?: Attempt;
  wrongInAll: number;
  version: number;
  claimed?: { readonly accountId: string; readonly at: number };
  collected?: { readonly at: number; readonly assertion: string; accessToken: string };
  revoked: boolean;
  /** Of the ID-JAG. */
  subject?: { readonly iss: string; readonly sub: string; readonly tenant: string; iat: number };
  scopes: readonly string[];
  resource?: string;
}

export type State = 'revoked' | 'claimed' | 'expired' | 'pending' | 'lapsed' | 'unclaimed';

/** In memory: a restart forgets all. Tokens are kept as their hashes. */
export class Registrations {
  readonly #byId = new Map<string, Registration>();
  readonly #byClaimToken = new Map<string, Registration>();
  readonly #byAttempt = new Map<string, Registration>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  create(type: Registration['type'], scopes: readonly string[]): Registration {
    const at = this.#now();
    const registration: Registration = {
      id: `reg-${randomUUID()}`,
      type,
      createdAt: at,
      windowEndsAt: at + LIFE.window * 1000,
      wrongInAll: 0,
      version: 1,
      revoked: false,
      scopes,
    };
    this.#byId.set(registration.id, registration);
    return registration;
  }

  byId(id: string): Registration | undefined {
    return this.#byId.get(id);
  }

  byClaimToken(token: string): Registration | undefined {
    return this.#byClaimToken.get(sha256(token));
  }

  byAttempt(token: string): Registration | undefined {
    const registration = this.#byAttempt.get(sha256(token));
    return registration?.attempt?.token === sha256(token) ? registration : undefined;
  }

  all(): Iterable<Registration> {
    return this.#byId.values();
  }

  bySubject(iss: string, sub: string, tenant: string): Registration | undefined {
    return [...this.all()].find(
      ({ subject, revoked }) =>
        !revoked && subject?.iss === iss && subject.sub === sub && subject.tenant === tenant,
    );
  }

  state(registration: Registration): State {
    if (registration.revoked) return 'revoked';
    if (registration.claimed !== undefined) return 'claimed';
    if (this.#now() >= registration.windowEndsAt) return 'expired';
    const { attempt } = registration;
    if (attempt === undefined) return 'unclaimed';
    const over = attempt.denied || attempt.wrong >= MAX_TRIES || this.#now() >= attempt.endsAt;
    return over ? 'lapsed' : 'pending';
  }

  /** The one before is no longer good. */
  giveClaimToken(registration: Registration): string {
    const token = `ct-${randomBytes(24).toString('base64url')}`;
    if (registration.claimToken !== undefined) this.#byClaimToken.delete(registration.claimToken);
    registration.claimToken = sha256(token);
    this.#byClaimToken.set(registration.claimToken, registration);
    return token;
  }

  /** Ends the attempt before it, if there is one. Gives what is shown to the agent. */
  open(registration: Registration): { readonly token: string; readonly attempt: Attempt } {
    if (registration.wrongInAll >= MAX_TRIES_IN_ALL)
      throw new Refusal(
        429,
        'too_many_attempts',
        'Too many wrong codes were typed. Register anew.',
      );
    const token = randomBytes(24).toString('base64url');
    const endsAt = Math.min(this.#now() + LIFE.attempt * 1000, registration.windowEndsAt);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const attempt: Attempt = {
      token: sha256(token),
      code,
      endsAt,
      wrong: 0,
      denied: false,
      interval: LIFE.interval,
    };
    if (registration.attempt !== undefined) this.#byAttempt.delete(registration.attempt.token);
    registration.attempt = attempt;
    this.#byAttempt.set(attempt.token, registration);
    return { token, attempt };
  }

  countWrong(registration: Registration, attempt: Attempt): number {
    attempt.wrong += 1;
    registration.wrongInAll += 1;
    return Math.max(0, MAX_TRIES - attempt.wrong);
  }

  claim(registration: Registration, accountId: string): void {
    registration.claimed = { accountId, at: this.#now() };
    registration.version = 2;
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
