import type { Transaction } from '../store/database.ts';
import type { LiveState } from './live-state.ts';

/**
 * A configured value that a control replaces until the reset. It lies in the store as JSON, so that every process
 * follows with its next request.
 */
export class LiveValue<T> {
  readonly #live: LiveState;
  readonly #name: string;
  readonly #configured: T;
  #text = '';
  #value: T;

  constructor(live: LiveState, name: string, configured: T) {
    this.#live = live;
    this.#name = name;
    this.#configured = configured;
    this.#value = configured;
  }

  /** The same object for as long as it is the same value. */
  current(): T {
    const text = this.#live.setting(this.#name) ?? '';
    if (text !== this.#text) {
      this.#text = text;
      this.#value = text === '' ? this.#configured : (JSON.parse(text) as T);
    }
    return this.#value;
  }

  /** Reads the value as it is in the store, for a change that rests on it. */
  async read(tx: Transaction): Promise<T> {
    const text = (await this.#live.readSetting(tx, this.#name)) ?? '';
    return text === '' ? this.#configured : (JSON.parse(text) as T);
  }

  async write(tx: Transaction, value: T): Promise<void> {
    await this.#live.writeSetting(tx, this.#name, JSON.stringify(value));
  }

  /** Leaves the configured value. */
  async clear(tx: Transaction): Promise<void> {
    await this.#live.writeSetting(tx, this.#name, '');
  }
}
