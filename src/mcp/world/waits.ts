import type { WaitEvent } from '../../agent/index.ts';
import { describeDuration } from '../../protocol/index.ts';
import type { Clock, Sleep } from '../../runtime/index.ts';

/**
 * The waits of this process, by what a user has to end: a second call of the same one would poll twice in an
 * interval. It gets what the first comes to.
 */
export type Waits = Map<string, Promise<unknown>>;

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

/** What polls, as methods of the agent take it. */
interface Polling {
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WaitEvent) => void;
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
 * @returns `undefined` where the time is over, and a poll is not answered.
 */
export async function waitFor<T>(
  { waits, clock, limit, closed }: World,
  call: Waiting,
  { key, seconds = DEFAULT_WAIT }: { readonly key: string; readonly seconds: number | undefined },
  poll: (polling: Polling) => Promise<T>,
): Promise<T | undefined> {
  const timeout = seconds * 1000;
  const begin = () => {
    const polled = poll({ timeout, signal: closed, onEvent: teller(clock, call, timeout) });
    return polled.finally(() => waits.delete(key));
  };
  const polled = (waits.get(key) as Promise<T> | undefined) ?? begin();
  waits.set(key, polled);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, call.signal]);
  const time = limit(timeout + GRACE, signal).catch(() => {});
  try {
    return await Promise.race([polled, time.then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Tells a host of the seconds that are past. */
function teller(clock: Clock, { signal, progress }: Waiting, timeout: number) {
  const started = clock.now();
  let told = -1;
  return (event: WaitEvent): void => {
    // Nobody hears of a call that was cancelled.
    if (signal.aborted) return;
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
