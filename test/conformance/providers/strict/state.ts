import { createHash } from 'node:crypto';
import { randomText, Sessions } from '../../services/support.ts';
import type { Signer } from './keys.ts';
import { Outbox } from './outbox.ts';
import type { KnownService } from './read-service.ts';

interface Device {
  readonly userCode: string;
  readonly until: number;
  email?: string | undefined;
  decision?: 'allow' | 'deny';
  polledAt?: number;
}

/** What a user is asked, or has agreed to. */
export interface Consent {
  readonly email: string;
  readonly service: KnownService;
  readonly scopes: readonly string[];
}

const DEVICE_LIFETIME = 600_000;
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** What the provider remembers, all of it in memory. */
const MOST_WRONG_CODES = 10;

export class Strict {
  readonly issuer: string;
  readonly now: () => number;
  readonly byPolicy: boolean;
  readonly signer: Signer;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  /** By device code. */
  readonly devices = new Map<string, Device>();
  /** By the id in a consent link. */
  readonly asked = new Map<string, Consent>();
  /** Wrong codes by email; forgotten when the process ends. */
  readonly #wrongCodes = new Map<string, number>();
  readonly #consents = new Map<string, Consent>();

  constructor(issuer: string, signer: Signer, now: () => number, byPolicy: boolean) {
    this.issuer = issuer;
    this.now = now;
    this.byPolicy = byPolicy;
    this.signer = signer;
    this.outbox = new Outbox(signer, now);
    this.sessions = new Sessions('strict', now);
  }

  startDevice(): {
    readonly deviceCode: string;
    readonly userCode: string;
    readonly seconds: number;
  } {
    const deviceCode = randomText();
    const digits = createHash('sha256').update(deviceCode).digest().subarray(0, 8);
    const userCode = [...digits].map((byte) => LETTERS[byte % LETTERS.length]).join('');
    this.devices.set(deviceCode, { userCode, until: this.now() + DEVICE_LIFETIME });
    return { deviceCode, userCode, seconds: DEVICE_LIFETIME / 1000 };
  }

  /** Whether this user may still type a code (RFC 8628 §5.1). */
  mayType(email: string): boolean {
    return (this.#wrongCodes.get(email) ?? 0) < MOST_WRONG_CODES;
  }

  countWrongCode(email: string): void {
    this.#wrongCodes.set(email, (this.#wrongCodes.get(email) ?? 0) + 1);
  }

  subjectOf(email: string): string {
    return createHash('sha256').update(`${this.issuer} ${email}`).digest('base64url').slice(0, 22);
  }

  /** The link where a user decides. */
  ask(consent: Consent): string {
    const id = randomText();
    this.asked.set(id, consent);
    return `${this.issuer}/consent?request=${id}`;
  }

  consent(consent: Consent): void {
    const before = this.consentFor(consent.email, consent.service.issuer)?.scopes ?? [];
    const scopes = [...new Set([...before, ...consent.scopes])];
    this.#consents.set(keyOf(consent.email, consent.service.issuer), { ...consent, scopes });
  }

  consentFor(email: string, audience: string): Consent | undefined {
    return this.#consents.get(keyOf(email, audience));
  }

  consentsOf(email: string): readonly Consent[] {
    return [...this.#consents.values()].filter((each) => each.email === email);
  }

  /** Whether there was something to revoke. */
  async revoke(email: string, audience: string): Promise<boolean> {
    const consent = this.consentFor(email, audience);
    if (consent === undefined) return false;
    this.#consents.delete(keyOf(email, audience));
    await this.outbox.add(consent.service, this.subjectOf(email));
    return true;
  }
}

function keyOf(email: string, audience: string): string {
  return `${email} ${audience}`;
}
