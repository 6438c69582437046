/** Writes times as HTTP does (RFC 9110 §5.6.7). Most requests come in the same second as the one before. */
export function httpDates(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const its = Math.floor(now / 1_000);
    if (its !== second) {
      second = its;
      text = new Date(now).toUTCString();
    }
    return text;
  };
}
