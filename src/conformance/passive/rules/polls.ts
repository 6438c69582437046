import type { Exchange } from '../../../traffic/index.ts';
import type { PassiveRule, Seen } from '../passive-rule.ts';
import * as read from '../read-exchange.ts';
import { eachMember } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';
import { Repeats } from './id-jags.ts';

/** A user who asks again and again does not reach this; a loop of polls does. */
const LIMITS = { most: 10, within: 120_000 };

const FINAL: ReadonlySet<string> = new Set(['access_denied', 'expired_token', 'invalid_grant']);

export const pollAfterEnd: PassiveRule = {
  id: 'poll-after-end',
  requirements: [{ id: 'DEV-05', level: 'must', by: 'agent' }],
  finds: 'polls on with a claim token, or a device code, although the answer is final',
  spares:
    'what was polled less than ten times in two minutes, polls after a new attempt, or after a refused exchange or call, which the wire contract asks for (§6.5)',
  watch: () => {
    let repeats = new Repeats(LIMITS);
    return ({ exchange, from, step }) => {
      const body = read.membersOf(exchange.request.body);
      if (step !== 'poll' && step !== 'device_poll') {
        const token = read.fingerprintOf(body['claim_token']);
        if (step === 'open_claim' && token !== undefined) repeats.forget(token);
        // One poll is to follow it, whoever's it was.
        if (from === 'agent' && (exchange.status ?? 0) >= 400) repeats = new Repeats(LIMITS);
        return [];
      }
      const token =
        read.fingerprintOf(body['claim_token']) ?? read.fingerprintOf(body['device_code']);
      if (token === undefined) return [];
      const error = read.errorOf(exchange);
      if (error === undefined || !FINAL.has(error)) {
        if (read.isSuccess(exchange) || error === 'authorization_pending') repeats.forget(token);
        return [];
      }
      if (!repeats.refused(token, exchange)) return [];
      const message = `Polled on and on though the answer is final (${error}). Stop, and tell the user.`;
      return [{ requirement: 'DEV-05', message }];
    };
  },
};

/** What a `slow_down` adds for good, in seconds (RFC 8628 §3.5). */
const SLOWER = 5;
/** Where no interval is given, in seconds (RFC 8628 §3.2). */
const DEFAULT_INTERVAL = 5;
/** An agent may bound what a server asks for (attack A-49): nobody is held to more, in seconds. */
const LONGEST = 60;
/** How much too soon a poll may come: the way takes its time, and the wire contract (§6.2) grants it. Milliseconds. */
const TOLERANCE = 1_000;

/** After so many polls in time, an early one before them is forgotten. */
const FORGIVEN_AFTER = 3;

interface Polling {
  /** The interval in seconds; undefined where it is not known in which words it was given. */
  readonly interval: number | undefined;
  readonly slowDowns: number;
  /** When the last of them was answered. */
  readonly slowedAt: number;
  /** When the last poll of this attempt came. */
  readonly last: number | undefined;
  /** How many polls came early, with few in time between them. */
  readonly early: number;
  /** How many came in time since the last one that was early. */
  readonly inTime: number;
}

const UNPOLLED = { slowDowns: 0, slowedAt: 0, last: undefined, early: 0, inTime: 0 } as const;

/**
 * Two early polls, shortly after each other: a single one may be a clock that was moved, or a machine that
 * stood still. A poll with a final answer is none too many: it may collect what was completed meanwhile (wire contract §6.5).
 */
export const pollingPace: PassiveRule = {
  id: 'polling-pace',
  requirements: [
    { id: 'DEV-03', level: 'must', by: 'agent' },
    { id: 'DEV-04', level: 'must', by: 'agent' },
  ],
  finds: 'polls sooner than the interval allows, or than each `slow_down` adds to it',
  spares:
    'a single early poll, less than a second, waits that were to be longer than a minute, and claims whose beginning was not seen',
  watch: () => {
    const pollings = new RecentMap<string, Polling>();
    return ({ exchange, step }) => {
      for (const [token, interval] of startedIn(exchange)) {
        pollings.set(token, { ...UNPOLLED, interval });
      }
      if (step !== 'poll' && step !== 'device_poll') return [];
      const token = polledWith(exchange);
      const polling = token === undefined ? undefined : pollings.get(token);
      if (token === undefined || polling === undefined) return [];
      const found = judge(polling, exchange);
      pollings.set(token, {
        ...polling,
        ...(read.errorOf(exchange) === 'slow_down' && {
          slowDowns: polling.slowDowns + 1,
          slowedAt: read.answeredAt(exchange),
        }),
        last: exchange.at,
        ...(found.length === 0 ? afterTimely(polling) : { early: polling.early + 1, inTime: 0 }),
      });
      return polling.early === 0 ? [] : found;
    };
  },
};

function judge(polling: Polling, exchange: Exchange): readonly Seen[] {
  const { interval, last, slowedAt } = polling;
  const error = read.errorOf(exchange);
  if (error !== 'authorization_pending' && error !== 'slow_down') return [];
  if (interval === undefined || last === undefined || exchange.at < last) return [];
  // A poll that was on its way before the last slow_down came knew nothing of that.
  const slowDowns = polling.slowDowns - (exchange.at < slowedAt ? 1 : 0);
  const raised = Math.min(interval + slowDowns * SLOWER, LONGEST);
  const waited = exchange.at - last;
  const isSooner = (than: number) => waited < Math.min(than, LONGEST) * 1_000 - TOLERANCE;
  const again = `Polled again after ${(waited / 1_000).toFixed(1)} s, and not for the first time`;
  const raises = `each slow_down adds 5 s for good, now ${raised} s are to be waited`;
  if (slowDowns > 0 && isSooner(raised)) {
    return isSooner(interval)
      ? [
          {
            requirement: 'DEV-03',
            also: ['DEV-04'],
            message: `${again}; the interval is ${interval} s, and ${raises}.`,
          },
        ]
      : [{ requirement: 'DEV-04', message: `${again}; ${raises}.` }];
  }
  return isSooner(interval)
    ? [{ requirement: 'DEV-03', message: `${again}; the interval is ${interval} s.` }]
    : [];
}

function afterTimely({ early, inTime }: Polling): Pick<Polling, 'early' | 'inTime'> {
  return inTime + 1 >= FORGIVEN_AFTER ? { early: 0, inTime: 0 } : { early, inTime: inTime + 1 };
}

function polledWith({ request }: Exchange): string | undefined {
  const body = read.membersOf(request.body);
  return read.fingerprintOf(body['claim_token']) ?? read.fingerprintOf(body['device_code']);
}

/** The claims, and sign-ins by device code, that an answer begins, with their intervals. */
function startedIn(exchange: Exchange): readonly (readonly [string, number | undefined])[] {
  const { request, response } = exchange;
  const opens = read.isSuccess(exchange) || read.errorOf(exchange) === 'interaction_required';
  if (!opens || !read.isMembers(response.body)) return [];
  const members = [...eachMember(response.body)];
  if (!members.some(([name]) => name === 'user_code')) return [];
  const given = members.find(([name]) => name === 'claim_token' || name === 'device_code');
  const token =
    read.fingerprintOf(given?.[1]) ??
    read.fingerprintOf(read.membersOf(request.body)['claim_token']);
  return token === undefined ? [] : [[token, intervalIn(members)]];
}

function intervalIn(members: readonly (readonly [string, unknown])[]): number | undefined {
  const named = members.filter(([name]) => /interval/i.test(name));
  if (named.length === 0) return DEFAULT_INTERVAL;
  const [first, another] = named;
  const interval = first?.[0] === 'interval' ? first[1] : undefined;
  const isKnown = another === undefined && typeof interval === 'number' && interval > 0;
  return isKnown ? interval : undefined;
}
