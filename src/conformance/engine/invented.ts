import { createHash } from 'node:crypto';
import type { Random } from '../../runtime/index.ts';

/** A seed that nobody has chosen. */
export function drawSeed(random: Random): number {
  return Buffer.from(random.bytes(4)).readUInt32BE();
}

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/**
 * The names and values that the suite makes up where any would do: of members that nobody knows, of
 * scopes that do not exist, of hosts that nobody runs. They differ from run to run, so that no
 * implementation can know them, and are the same again for the same seed.
 *
 * Secrets and keys are not among them. Neither is what a service must never have seen before (a user's
 * address, a `jti`): a seed is given again to a service that remembers the run before.
 */
export class Invented {
  readonly #source: string;
  #bytes: Buffer = Buffer.alloc(0);
  #block = 0;

  /** @param place what it is for: what one place draws does not depend on any other. */
  constructor(seed: number, place: string) {
    this.#source = `${seed} ${place}`;
  }

  /** Eight letters that can be spoken. */
  word(): string {
    return Array.from({ length: 4 }, () => this.#letter(CONSONANTS) + this.#letter(VOWELS)).join(
      '',
    );
  }

  /** Two words as people write a name. */
  name(): string {
    return [this.word(), this.word()]
      .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
      .join(' ');
  }

  /** Of a parameter, member or claim that no standard knows. */
  member(): string {
    return this.pick([`x-${this.word()}`, `${this.word()}_${this.word()}`, this.word()]);
  }

  /** Of a header field that no standard knows. Lower case. */
  header(): string {
    return `x-${this.word()}`;
  }

  /** A scope that no service has (RFC 6749 §3.3). */
  scope(): string {
    return `${this.word()}${this.pick(['.', ':', '-', '/'])}${this.word()}`;
  }

  /** A host that nobody runs (RFC 2606 §3). */
  host(): string {
    return `${this.word()}.example`;
  }

  origin(): string {
    return `https://${this.host()}`;
  }

  email(): string {
    return `${this.word()}@${this.host()}`;
  }

  /** A URN for examples (RFC 6963). */
  urn(): string {
    return `urn:example:${this.word()}-${this.word()}`;
  }

  /** An opaque token that nobody issued. */
  token(): string {
    return `${this.word()}-${this.word()}-${this.word()}`;
  }

  /** In capitals, as the names of key types and algorithms are. */
  capitals(): string {
    return this.word().toUpperCase();
  }

  /** One of these. */
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
