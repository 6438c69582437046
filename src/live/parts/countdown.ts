/** What is left until then, both in milliseconds: `9:58`, `1:02:07`, `2 d 3 h`; undefined once it is over. */
export function countdown(until: number, now: number): string | undefined {
  const seconds = Math.ceil((until - now) / 1_000);
  if (!(seconds > 0)) return undefined;
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600)];
  if (days > 1) return `${days} d ${hours % 24} h`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return hours > 0
    ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** How far a mock's clock is from the machine's: `+11 min`; undefined where it is not. */
export function describeOffset(ms: number): string | undefined {
  const seconds = Math.round(ms / 1_000);
  if (seconds === 0) return undefined;
  const sign = seconds < 0 ? '−' : '+';
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const;
  let left = Math.abs(seconds);
  const parts: string[] = [];
  for (const [name, length] of units) {
    const count = Math.floor(left / length);
    left %= length;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return `${sign}${parts.slice(0, 2).join(' ')}`;
}

/** `09:30:05`, in UTC, of RFC 3339. */
export function timeOfDay(at: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(at)?.[1] ?? '';
}
