import { NetworkError } from './ports.ts';

/** A time limit for one piece of work. */
export interface Deadline {
  /** Aborted when the time is over, with a NetworkError `timeout`, or with the caller's own signal. */
  readonly signal: AbortSignal;
  /** Ends the deadline: to be called when the work has ended, also when it failed. */
  end(): void;
}

/** The longest timer in milliseconds. `setTimeout` takes no longer one: it would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Starts a time limit of `ms` milliseconds. Not `AbortSignal.any` over `AbortSignal.timeout`: those hold
 * each other weakly, so a garbage collection may take the limit away and let the work hang for ever.
 */
export function startDeadline(ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (reason: unknown) => {
    end();
    controller.abort(reason);
  };
  const stop = () => abort(caller?.reason);
  const timer = setTimeout(
    () => abort(new NetworkError('timeout', 'No answer within the time limit.')),
    Math.min(ms, LONGEST_TIMER),
  );
  // What is waited for keeps the process alive, not its limit.
  timer.unref();
  const end = () => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', stop);
  };
  if (caller?.aborted) stop();
  else caller?.addEventListener('abort', stop, { once: true });
  return { signal: controller.signal, end };
}

/** What comes of the work, unless the signal comes first: then it rejects with its reason. */
export async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
