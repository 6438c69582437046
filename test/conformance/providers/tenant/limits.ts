/** So many in a window; counted per key. */
export class Limit {
  private readonly times = new Map<string, number[]>();

  private readonly most: number;
  private readonly seconds: number;
  private readonly now: () => number;

  constructor(most: number, seconds: number, now: () => number) {
    this.most = most;
    this.seconds = seconds;
    this.now = now;
  }

  /** Seconds until one more is taken; 0 when it is now. */
  wait(key: string): number {
    const recent = this.recent(key);
    if (recent.length < this.most) return 0;
    return Math.max(1, Math.ceil(((recent[0] ?? 0) - this.now()) / 1000 + this.seconds));
  }

  count(key: string): void {
    this.times.set(key, [...this.recent(key), this.now()]);
  }

  private recent(key: string): number[] {
    return (this.times.get(key) ?? []).filter((at) => at > this.now() - this.seconds * 1000);
  }
}
