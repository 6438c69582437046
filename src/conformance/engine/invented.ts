import { createHash } from 'node:crypto';
import type { Random } from '../../runtime/index.ts';

/** A random seed. */
export function drawSeed(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE();
}

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/**
 * Invented names and values where any would do: unknown members, scopes that do not exist, hosts that do
 * not answer. They differ from run to run, so that no implementation can know them, and are the same for
 * the same seed.
 *
 * Secrets and keys are not among them, nor is what a service must not have seen before (a user's email, a
 * `jti`): the same seed may be used again at a service that remembers the last run.
 */
export class Invented {
  readonly #source: string;
  #bytes: Buffer = Buffer.alloc(0);
  #block = 0;

  /** @param place what it is for; what one place draws does not depend on another. */
  constructor(seed: number, place: string) {
    this.#source = `${seed} ${place}`;
  }

  /** Eight pronounceable letters. */
  word(): string {
    return Array.from({ length: 4 }, () => this.#letter(CONSONANTS) + this.#letter(VOWELS)).join(
      '',
    );
  }

  /** A display name of two words. */
  name(): string {
    return [this.word(), this.word()]
      .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
      .join(' ');
  }

  /** The name of a parameter, member or claim that no standard knows. */
  member(): string {
    return this.pick([`x-${this.word()}`, `${this.word()}_${this.word()}`, this.word()]);
  }

  /** The name of a header field that no standard knows. Lower case. */
  header(): string {
    return `x-${this.word()}`;
  }

  /** A scope that no service has (RFC 6749 §3.3). */
  scope(): string {
    return `${this.word()}${this.pick(['.', ':', '-', '/'])}${this.word()}`;
  }

  /** A host that does not exist: no DNS has it, so whoever is given it reaches no other machine (RFC 6761 §6.4). */
  host(): string {
    return `${this.word()}.invalid`;
  }

  origin(): string {
    return `https://${this.host()}`;
  }

  email(): string {
    return `${this.word()}@${this.word()}.example`;
  }

  /** A URN for examples (RFC 6963). */
  urn(): string {
    return `urn:example:${this.word()}-${this.word()}`;
  }

  /** An opaque token that no server issued. */
  token(): string {
    return `${this.word()}-${this.word()}-${this.word()}`;
  }

  /** A word in capitals, as the names of key types and algorithms are. */
  capitals(): string {
    return this.word().toUpperCase();
  }

  /** Picks one of the values. */
  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.#below(values.length)] ?? values[0];
  }

  #letter(letters: string): string {
    return letters.charAt(this.#below(letters.length));
  }

  /** Every number below 256 occurs about as often: a bias of a few per cent harms no name. */
  #below(limit: number): number {
    return this.#byte() % limit;
  }

  #byte(): number {
    if (this.#bytes.length === 0) {
      this.#bytes = createHash('sha256').update(`${this.#source} ${this.#block}`).digest();
      this.#block += 1;
    }
    const byte = this.#bytes.readUInt8();
    this.#bytes = this.#bytes.subarray(1);
    return byte;
  }
}
