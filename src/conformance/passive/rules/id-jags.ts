import type { Exchange } from '../../../traffic/index.ts';
import type { PassiveRule } from '../passive-rule.ts';
import * as read from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

interface Use {
  readonly origin: string;
  /** When the service had taken it. */
  readonly taken: number | undefined;
}

/** Answers after which an ID-JAG is used up (wire contract §3.2 and §3.5). */
const USED_UP: ReadonlySet<string> = new Set(['interaction_required', 'login_required']);

export const idJagUse: PassiveRule = {
  id: 'id-jag-use',
  requirements: [
    { id: 'IDJ-26', level: 'must', by: 'agent' },
    { id: 'W3-54', level: 'should', by: 'agent' },
  ],
  finds: 'sends an ID-JAG to a service that it was not minted for, or once more after it was taken',
  spares: 'services whose metadata was not seen, and repetitions of what was not taken',
  watch: () => {
    const uses = new RecentMap<string, Use>();
    return ({ exchange, step }, { documents }) => {
      if (step !== 'register' || isKeptBack(exchange)) return [];
      const { assertion } = read.membersOf(exchange.request.body);
      const token = read.isMembers(assertion) ? read.fingerprintOf(assertion) : undefined;
      const origin = read.originOf(exchange.url);
      if (token === undefined || origin === undefined) return [];
      const before = uses.get(token);
      const isTaken = read.isSuccess(exchange) || USED_UP.has(read.errorOf(exchange) ?? '');
      uses.set(token, {
        origin: before?.origin ?? origin,
        taken: before?.taken ?? (isTaken ? read.answeredAt(exchange) : undefined),
      });
      const server = documents.serverAt(exchange.url);
      const audiences = [read.membersOf(read.membersOf(assertion)['claims'])['aud']].flat();
      const known = server && [server.issuer, ...server.resources].map(plain);
      if (
        (before !== undefined && before.origin !== origin) ||
        (known !== undefined && !audiences.some((each) => known.includes(plain(each))))
      ) {
        const message =
          'The ID-JAG was minted for another service than the one that it was sent to.';
        return [{ requirement: 'IDJ-26', message }];
      }
      if (before?.taken === undefined || exchange.at <= before.taken) return [];
      const message =
        'The same ID-JAG was sent again after the service had taken it. Have a new one minted.';
      return [{ requirement: 'W3-54', message }];
    };
  },
};

/** A proxy did not send it on: it was never given away. */
function isKeptBack(exchange: Exchange): boolean {
  return exchange.status !== null && read.statusOf(exchange) === undefined;
}

/** An issuer, or a resource: a final slash makes no difference here. */
function plain(identifier: unknown): string {
  return String(identifier).replace(/\/$/, '');
}

export const pushedEvents: PassiveRule = {
  id: 'pushed-events',
  requirements: [{ id: 'PSH-01', level: 'must', by: 'provider' }],
  finds: 'pushes a security event with another media type than application/secevent+jwt',
  spares: '',
  sees: ({ exchange, step }) => {
    const { method, request } = exchange;
    if (step !== 'event' || method !== 'POST') return [];
    if (read.mediaTypeOf(request.headers) === 'application/secevent+jwt') return [];
    const message = 'A security event is to be pushed as application/secevent+jwt (RFC 8935 §2.1).';
    return [{ requirement: 'PSH-01', message }];
  },
};

interface Refusals {
  readonly count: number;
  /** When the first of them came. */
  readonly since: number;
  /** When the last one was answered. */
  readonly until: number;
}

interface RepeatLimits {
  /** How many refusals are one too many. */
  readonly most: number;
  /** The time that they may take, in milliseconds. Default: any. */
  readonly within?: number;
}

/**
 * Counts how often the same thing was refused though its sender had been told. Requests that were under way
 * together count as one.
 */
export class Repeats {
  readonly #most: number;
  readonly #within: number;
  readonly #refusals = new RecentMap<string, Refusals>();

  constructor({ most, within = Number.POSITIVE_INFINITY }: RepeatLimits) {
    this.#most = most;
    this.#within = within;
  }

  /** @returns whether it was refused once too often, each time told before it was sent again. */
  refused(key: string, exchange: Exchange): boolean {
    const { at } = exchange;
    const known = this.#refusals.get(key);
    const before = known !== undefined && at - known.since <= this.#within ? known : undefined;
    const isTold = before === undefined || at > before.until;
    const count = (before?.count ?? 0) + (isTold ? 1 : 0);
    this.#refusals.set(key, {
      count,
      since: before?.since ?? at,
      until: Math.max(before?.until ?? Number.NEGATIVE_INFINITY, read.answeredAt(exchange)),
    });
    return isTold && count >= this.#most;
  }

  forget(key: string): void {
    this.#refusals.delete(key);
  }
}
