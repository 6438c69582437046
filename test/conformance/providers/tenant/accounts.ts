import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Limit } from './limits.ts';
import type { Service } from './service.ts';

export interface Session {
  readonly id: string;
  readonly csrf: string;
  email?: string;
  signedInAt: number;
}

export interface Device {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly until: number;
  readonly startedAt: number;
  /** The oldest sign-in that is good enough. Milliseconds since 1970. */
  readonly signInAfter: number;
  interval: number;
  polledAt: number;
  decision?: { readonly email: string; readonly signedInAt: number } | 'denied';
}

export interface Wish {
  readonly email: string;
  readonly service: Service;
  readonly scopes: readonly string[];
}

export interface Consent extends Wish {
  readonly key: string;
}

export const secret = () => randomBytes(24).toString('base64url');
export const DEVICE_SECONDS = 600;
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** All that the provider keeps, in memory. */
export class Accounts {
  readonly sessions = new Map<string, Session>();
  readonly devices = new Map<string, Device>();
  readonly wishes = new Map<string, Wish>();
  readonly consents = new Map<string, Consent>();
  readonly wrongCodes: Limit;
  readonly signIns: Limit;
  readonly now: () => number;
  private readonly salt = randomBytes(16);

  constructor(now: () => number) {
    this.now = now;
    this.wrongCodes = new Limit(5, 300, now);
    this.signIns = new Limit(20, 60, now);
  }

  open(email?: string): Session {
    const session = { id: secret(), csrf: secret(), signedInAt: this.now() };
    const opened: Session = { ...session, ...(email !== undefined && { email }) };
    this.sessions.set(opened.id, opened);
    return opened;
  }

  startDevice(signInAfter: number): Device {
    const now = this.now();
    const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    const device: Device = {
      deviceCode: secret(),
      userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
      startedAt: now,
      until: now + DEVICE_SECONDS * 1000,
      signInAfter,
      interval: 5,
      polledAt: 0,
    };
    this.devices.set(device.deviceCode, device);
    return device;
  }

  /** The undecided device of a code, however its user wrote it. */
  deviceFor(code: string): Device | undefined {
    const plain = (text: string) => text.toUpperCase().replace(/[^A-Z]/g, '');
    return [...this.devices.values()].find(
      ({ decision, until, userCode }) =>
        decision === undefined && until > this.now() && isSame(plain(userCode), plain(code)),
    );
  }

  subjectOf(email: string): string {
    return createHash('sha256').update(this.salt).update(email).digest('base64url');
  }

  consentOf(email: string, audience: string): Consent | undefined {
    return [...this.consents.values()].find(
      (consent) => consent.email === email && consent.service.audience === audience,
    );
  }

  agree({ email, service, scopes }: Wish): void {
    const before = this.consentOf(email, service.audience);
    const key = before?.key ?? secret();
    const all = [...new Set([...(before?.scopes ?? []), ...scopes])];
    this.consents.set(key, { key, email, service, scopes: all });
  }
}

export function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
