import { sha256 } from './hash.ts';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A token, assertion or code that cannot be printed by accident: every way of turning it into text
 * shows a fingerprint. `reveal()` is the one way to the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself: for the wire and the store, never for a log. */
  reveal(): string {
    return this.#value;
  }

  /** Eight characters of the SHA-256: tells two secrets apart without showing either. */
  get fingerprint(): string {
    return sha256(this.#value).slice(0, 8);
  }

  /** The fingerprint, never the value. */
  toString(): string {
    return `[secret ${this.fingerprint}]`;
  }

  /** The fingerprint, never the value. */
  toJSON(): string {
    return this.toString();
  }

  /** The fingerprint, never the value: what `console.log` shows. */
  [INSPECT](): string {
    return this.toString();
  }
}
