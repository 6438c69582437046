import { Bindings } from '../bindings.ts';
import { type Bind, type LiveRequest, type MatchedRequest, matchRequest } from '../match/index.ts';
import { kindOf, type RecordedExchange } from '../recording/index.ts';

/** What is checked by the service for itself alone: a replay takes any. */
const UNCHECKED = /^\{(?:cookie|csrf_token|etag|jti|kid|nonce|key_[xyne]|user_id|uuid)_\d+\}$/;
const ORIGIN = /^https?:\/\/[^/?#\s"'<>]+$/;

/** What a request is in a run. */
export interface Match extends MatchedRequest {
  readonly exchange: RecordedExchange;
  /** What names stand for, should it be this one. */
  readonly found: ReadonlyMap<string, string>;
}

/** The transcript as one agent goes through it, with the values that were given out on the way. */
export class Run {
  readonly bindings: Bindings;
  readonly #given: ReadonlySet<string>;
  /** When each exchange was answered last: counts up. */
  readonly #used = new Map<number, number>();
  #answers = 0;

  /** @param given the names that the recorded service gave out. */
  constructor(shared: Iterable<readonly [string, string]>, given: ReadonlySet<string>) {
    this.bindings = new Bindings(shared);
    this.#given = given;
  }

  isUsed({ index }: RecordedExchange): boolean {
    return this.#used.has(index);
  }

  /** 0: never. */
  lastUse({ index }: RecordedExchange): number {
    return this.#used.get(index) ?? 0;
  }

  /** Compares a request with a recorded one, by the values of this run. */
  match(exchange: RecordedExchange, live: LiveRequest): Match {
    const found = new Map<string, string>();
    const bind: Bind = (name, value) => {
      // The request has it by its name already, but for what lies in a JWT.
      if (name === value) return true;
      const known = found.get(name) ?? this.bindings.get(name);
      if (known !== undefined) return isSame(name, known, value) || UNCHECKED.test(name);
      if (UNCHECKED.test(name)) return true;
      if (this.#given.has(name)) return false;
      if (name === '{provider}') {
        if (!ORIGIN.test(value)) return false;
      } else if (this.bindings.nameOf(value) !== undefined) {
        return false;
      }
      found.set(name, value);
      return true;
    };
    return { exchange, found, ...matchRequest(exchange, live, bind) };
  }

  /** Notes that a request was this one. */
  use({ exchange, found }: Match): void {
    for (const [name, value] of found) this.bindings.set(name, value);
    this.#answers += 1;
    this.#used.set(exchange.index, this.#answers);
  }
}

/** A code is the same however it is grouped (RFC 8628 §6.1). */
function isSame(name: string, known: string, value: string): boolean {
  if (known === value) return true;
  if (!/code$/.test(kindOf(name))) return false;
  const plain = (code: string) => code.replaceAll(/[ -]/g, '').toUpperCase();
  return plain(known) === plain(value);
}
