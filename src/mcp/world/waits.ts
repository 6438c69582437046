import type { WaitEvent, WaitForClaimRequest } from '../../agent/index.ts';
import { describeDuration } from '../../protocol/index.ts';
import type { Clock, Sleep } from '../../runtime/index.ts';

type Listener = (event: WaitEvent) => void;

/**
 * The waits of this process, by what a user has to end: a second call of the same one would poll twice in an
 * interval. It gets what the first comes to, and hears how it goes on.
 */
export type Waits = Map<
  string,
  { readonly ended: Promise<unknown>; readonly listeners: Set<Listener> }
>;

interface World {
  readonly waits: Waits;
  readonly clock: Clock;
  readonly limit: Sleep;
  readonly closed: AbortSignal;
}

/** What the host learns while a tool works. */
export interface Progress {
  /** Grows. */
  readonly progress: number;
  readonly total?: number;
  /** Our words. */
  readonly message: string;
}

/** A call whose host may wait for it. */
export interface Waiting {
  /** Aborted when the host cancels the call, or goes. */
  readonly signal: AbortSignal;
  /** Does nothing where the host asked for no progress. */
  readonly progress: (progress: Progress) => void;
}

/** Hosts end a call after a minute, as a rule. Seconds. */
export const DEFAULT_WAIT = 45;

/** A wait that ends by itself is given that much more to say so. Milliseconds. */
const GRACE = 1000;

/**
 * Waits for a user, as long as the call may take.
 * @param key what is waited for: it says what `poll` comes to.
 * @param poll called where no other call polls for it. It goes on to the end of its time, whatever becomes of the
 *   call: the answer to a poll that is under way may be the only one that holds the token. Only where the host goes,
 *   it ends.
 * @returns `undefined` where the time of this call is over, and the polling goes on.
 */
export async function waitFor<T>(
  { waits, clock, limit, closed }: World,
  call: Waiting,
  { key, seconds = DEFAULT_WAIT }: { readonly key: string; readonly seconds: number | undefined },
  poll: (polling: Omit<WaitForClaimRequest, 'service'>) => Promise<T>,
): Promise<T | undefined> {
  const timeout = seconds * 1000;
  const tell = teller(clock, call, timeout);
  const begin = () => {
    const listeners = new Set([tell]);
    const onEvent = (event: WaitEvent) => {
      for (const listener of listeners) listener(event);
    };
    const polled = poll({ timeout, signal: closed, onEvent });
    return { ended: polled.finally(() => waits.delete(key)), listeners };
  };
  const { ended, listeners } = waits.get(key) ?? begin();
  waits.set(key, { ended, listeners });
  listeners.add(tell);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, call.signal]);
  const time = limit(timeout + GRACE, signal).catch(() => {});
  try {
    return await Promise.race([ended as Promise<T>, time.then(() => undefined)]);
  } finally {
    over.abort();
    // Nobody hears of a call that is answered or cancelled.
    listeners.delete(tell);
  }
}

/** Tells a host of the seconds that are past. */
function teller(clock: Clock, { progress }: Waiting, timeout: number): Listener {
  const started = clock.now();
  let told = -1;
  return (event) => {
    // Each has to be more than the one before.
    told = Math.max(Math.round((clock.now() - started) / 1000), told + 0.001);
    progress({ progress: told, total: Math.round(timeout / 1000), message: textOf(event) });
  };
}

function textOf(event: WaitEvent): string {
  switch (event.type) {
    case 'waiting':
      return `Waiting for the user; the code is good for ${describeDuration(Math.max(0, event.remaining))} more.`;
    case 'slow_down':
      return 'The server asked for fewer polls: waiting longer between them.';
    case 'trouble':
      return event.status === null
        ? 'No answer; trying again.'
        : `The server answered ${event.status}; trying again.`;
  }
}
