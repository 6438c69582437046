/** A map that forgets what was not set for longest: traffic has no end, and memory has. */
export class RecentMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, V>();

  constructor(most = 5_000) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.size > this.#most ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
