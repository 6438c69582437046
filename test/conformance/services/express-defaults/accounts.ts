import { randomInt } from 'node:crypto';
import { randomText } from '../support.ts';

interface Attempt {
  readonly token: string;
  readonly code: string;
  readonly until: number;
  wrong: number;
}

/** What an agent has registered. */
export interface Registration {
  readonly id: string;
  readonly claimToken?: string;
  /** Issuer and subject of the ID-JAG that it began with. */
  readonly subject?: string;
  /** Seconds: when its ID-JAG was issued. An older event does not end it, however late it arrived itself. */
  readonly issuedAt?: number;
  email?: string;
  version: number;
  attempt?: Attempt;
  attempts: number;
  state: 'open' | 'claimed' | 'revoked';
  readonly until: number;
}

const CODE_WINDOW = 10 * 60_000;
const OUTER_WINDOW = 24 * 3_600_000;
const TOKEN_LIFETIME = 3_600_000;
const WRONG_CODES = 5;
const ATTEMPTS = 4;

export class Accounts {
  readonly #now: () => number;
  readonly #countsWrongCodes: boolean;
  readonly #registrations = new Map<string, Registration>();
  readonly #byClaimToken = new Map<string, Registration>();
  readonly #tokens = new Map<string, { readonly of: Registration; readonly until: number }>();
  /** Ids of ID-JAGs and events that were used, and until when they count. */
  readonly #used = new Map<string, number>();
  /** Subject → seconds: of the latest event that ended it. */
  readonly #ended = new Map<string, number>();

  constructor(now: () => number, countsWrongCodes = true) {
    this.#now = now;
    this.#countsWrongCodes = countsWrongCodes;
  }

  add(
    given: Pick<Registration, 'email' | 'issuedAt' | 'subject'> & { readonly claimable: boolean },
  ) {
    const { email, issuedAt, subject, claimable } = given;
    const registration: Registration = {
      id: randomText(),
      ...(claimable && { claimToken: randomText() }),
      ...(subject !== undefined && { subject }),
      ...(email !== undefined && { email }),
      ...(issuedAt !== undefined && { issuedAt }),
      version: 1,
      attempts: 0,
      state: claimable ? 'open' : 'claimed',
      until: this.#now() + OUTER_WINDOW,
    };
    this.#registrations.set(registration.id, registration);
    if (registration.claimToken !== undefined) {
      this.#byClaimToken.set(registration.claimToken, registration);
    }
    return registration;
  }

  withId(id: string): Registration | undefined {
    const found = this.#registrations.get(id);
    return found?.state === 'revoked' ? undefined : found;
  }

  withClaimToken(token: string): Registration | undefined {
    return this.#byClaimToken.get(token);
  }

  withSubject(subject: string): readonly Registration[] {
    return [...this.#registrations.values()].filter(
      (one) => one.subject === subject && one.state !== 'revoked',
    );
  }

  withAttempt(token: string): Registration | undefined {
    return [...this.#registrations.values()].find(({ attempt }) => attempt?.token === token);
  }

  /** False for what was used before. */
  use(id: string, until: number): boolean {
    const now = this.#now();
    for (const [each, end] of this.#used) if (end < now) this.#used.delete(each);
    if (this.#used.has(id)) return false;
    this.#used.set(id, until);
    return true;
  }

  /** Undefined once too many codes were tried, or the outer window is over. */
  openAttempt(registration: Registration, email: string): Attempt | undefined {
    if (registration.state !== 'open' || this.#now() >= registration.until) return undefined;
    if (registration.attempts >= ATTEMPTS && registration.attempt?.wrong === WRONG_CODES) {
      return undefined;
    }
    if (registration.attempt?.wrong === WRONG_CODES) registration.attempts += 1;
    registration.email = email;
    registration.attempt = {
      token: randomText(),
      code: String(randomInt(1_000_000)).padStart(6, '0'),
      until: Math.min(this.#now() + CODE_WINDOW, registration.until),
      wrong: 0,
    };
    return registration.attempt;
  }

  isLive({ state, attempt }: Registration): boolean {
    return (
      state === 'open' &&
      attempt !== undefined &&
      attempt.wrong < WRONG_CODES &&
      this.#now() < attempt.until
    );
  }

  /** Whether the code is that of the attempt. A wrong one counts. */
  enter(registration: Registration, code: string): boolean {
    const { attempt } = registration;
    if (attempt === undefined || !this.isLive(registration)) return false;
    if (code.replace(/[\s-]/g, '') !== attempt.code) {
      if (this.#countsWrongCodes) attempt.wrong += 1;
      return false;
    }
    registration.state = 'claimed';
    registration.version = 2;
    this.#dropTokens(registration);
    return true;
  }

  /** What began before the event ends; an ID-JAG from before it is not taken any more. */
  endSubject(subject: string, at: number): void {
    this.#ended.set(subject, Math.max(at, this.#ended.get(subject) ?? 0));
    for (const registration of this.withSubject(subject)) {
      if ((registration.issuedAt ?? 0) > at) continue;
      registration.state = 'revoked';
      this.#dropTokens(registration);
    }
  }

  isEnded(subject: string, at: number): boolean {
    return at <= (this.#ended.get(subject) ?? 0);
  }

  token(registration: Registration): { readonly token: string; readonly seconds: number } {
    const token = randomText();
    this.#tokens.set(token, { of: registration, until: this.#now() + TOKEN_LIFETIME });
    return { token, seconds: TOKEN_LIFETIME / 1000 };
  }

  ofToken(token: string | undefined): Registration | undefined {
    const found = this.#tokens.get(token ?? '');
    return found !== undefined && this.#now() < found.until ? found.of : undefined;
  }

  revokeToken(token: string): void {
    this.#tokens.delete(token);
  }

  #dropTokens(registration: Registration): void {
    for (const [token, { of }] of this.#tokens) if (of === registration) this.#tokens.delete(token);
  }
}
