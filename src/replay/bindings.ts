/** What the names of a transcript stand for in one run of it. */
export class Bindings {
  readonly #values: Map<string, string>;
  readonly #names = new Map<string, string>();

  constructor(shared: Iterable<readonly [string, string]> = []) {
    this.#values = new Map(shared);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** The name that a value was given out for. */
  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
    this.#names.set(value, name);
  }
}
