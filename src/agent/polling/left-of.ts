/** What an earlier wait left of the time to the next poll; never more than the interval. Milliseconds. */
export function leftOf(
  attempt: { readonly interval: number; readonly nextPollAt?: number },
  now: number,
): number | undefined {
  const { interval, nextPollAt } = attempt;
  if (nextPollAt === undefined) return undefined;
  return Math.min(interval, Math.max(0, nextPollAt - now));
}
