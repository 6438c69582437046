import type { Exchange } from '../../../exchanges/index.ts';
import type { PassiveRule, Seen } from '../passive-rule.ts';
import {
  eachMember,
  errorOf,
  fingerprintOf,
  isMembers,
  isSuccess,
  membersOf,
} from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

/** What a `slow_down` adds for good, in seconds (RFC 8628 §3.5). */
const SLOWER = 5;
/** Where no interval is given, in seconds (RFC 8628 §3.2). */
const DEFAULT_INTERVAL = 5;
/** An agent may bound what a server asks for (attack A-49): nobody is held to more, in seconds. */
const LONGEST = 60;
/** So much earlier is not early: the way takes its time, and the wire contract (§6.2) grants it. Milliseconds. */
const TOLERANCE = 1_000;

/** After so many polls in time, an early one before them is forgotten. */
const FORGIVEN_AFTER = 3;

interface Polling {
  /** In seconds; undefined where it is not known in which words it was given. */
  readonly interval: number | undefined;
  readonly slowDowns: number;
  /** When the last poll of this attempt came. */
  readonly last: number | undefined;
  /** So many polls came early, with few in time between them. */
  readonly early: number;
  /** So many came in time since the last one that was early. */
  readonly inTime: number;
}

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
        pollings.set(token, { interval, slowDowns: 0, last: undefined, early: 0, inTime: 0 });
      }
      if (step !== 'poll' && step !== 'device_poll') return [];
      const token = polledWith(exchange);
      const polling = token === undefined ? undefined : pollings.get(token);
      if (token === undefined || polling === undefined) return [];
      const found = judge(polling, exchange);
      const error = errorOf(exchange);
      pollings.set(token, {
        ...polling,
        slowDowns: polling.slowDowns + (error === 'slow_down' ? 1 : 0),
        last: exchange.at,
        ...(found === undefined ? afterTimely(polling) : { early: polling.early + 1, inTime: 0 }),
      });
      return found === undefined || polling.early === 0 ? [] : [found];
    };
  },
};

function judge({ interval, last, slowDowns }: Polling, exchange: Exchange): Seen | undefined {
  const error = errorOf(exchange);
  if (error !== 'authorization_pending' && error !== 'slow_down') return undefined;
  if (interval === undefined || last === undefined || exchange.at < last) return undefined;
  const waited = exchange.at - last;
  const seconds = (waited / 1_000).toFixed(1);
  if (waited < Math.min(interval, LONGEST) * 1_000 - TOLERANCE) {
    const message = `Polled again after ${seconds} s, and not for the first time; the interval is ${interval} s.`;
    return { requirement: 'DEV-03', message };
  }
  const raised = Math.min(interval + slowDowns * SLOWER, LONGEST);
  if (waited >= raised * 1_000 - TOLERANCE) return undefined;
  const message = `Polled again after ${seconds} s, and not for the first time; each slow_down adds 5 s for good, now ${raised} s are to be waited.`;
  return { requirement: 'DEV-04', message };
}

function afterTimely({ early, inTime }: Polling): Pick<Polling, 'early' | 'inTime'> {
  return inTime + 1 >= FORGIVEN_AFTER ? { early: 0, inTime: 0 } : { early, inTime: inTime + 1 };
}

function polledWith({ request }: Exchange): string | undefined {
  const body = membersOf(request.body);
  return fingerprintOf(body['claim_token']) ?? fingerprintOf(body['device_code']);
}

/** The claims, and sign-ins by device code, that an answer begins, with their intervals. */
function startedIn(exchange: Exchange): readonly (readonly [string, number | undefined])[] {
  const { request, response } = exchange;
  const opens = isSuccess(exchange) || errorOf(exchange) === 'interaction_required';
  if (!opens || !isMembers(response.body)) return [];
  const members = [...eachMember(response.body)];
  if (!members.some(([name]) => name === 'user_code')) return [];
  const given = members.find(([name]) => name === 'claim_token' || name === 'device_code');
  const token = fingerprintOf(given?.[1]) ?? fingerprintOf(membersOf(request.body)['claim_token']);
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
