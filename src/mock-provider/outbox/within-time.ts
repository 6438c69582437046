import { NetworkError, type Sleep } from '../../runtime/index.ts';

/**
 * Runs `work` until it is done, `signal` is aborted, or `limit` milliseconds have passed; then it
 * rejects, whether `work` heeds its signal or not. Without a `sleep` there is no limit.
 * @throws NetworkError `timeout` or `aborted`.
 */
export async function withinTime<T>(
  sleep: Sleep | undefined,
  limit: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const stop = () => over.abort(new NetworkError('aborted', 'The attempt was given up.'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const timeout = new NetworkError('timeout', 'No answer within the time limit.');
  sleep?.(limit, over.signal).then(
    () => over.abort(timeout),
    // Ended before its time, together with the work.
    () => {},
  );
  const ended = new Promise<never>((_, reject) => {
    const fail = () => reject(over.signal.reason);
    if (over.signal.aborted) fail();
    else over.signal.addEventListener('abort', fail, { once: true });
  });
  // It is always rejected in the end; by then there may be no listener.
  ended.catch(() => {});
  try {
    return await Promise.race([work(over.signal), ended]);
  } finally {
    signal.removeEventListener('abort', stop);
    over.abort();
  }
}
