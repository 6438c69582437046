import { processFingerprint } from '../runtime/index.ts';
import { DEFAULT_KEPT, type Exchange, MOST_KEPT, type Receiver } from './exchange.ts';
import { Redactor } from './redactor.ts';

/** How many secrets are remembered with their registration. */
const MAX_LINKS = 20_000;

const REGISTRATION = /\breg_[\w-]{10,}/g;
const FINGERPRINT = /secret~[\w-]{8}/g;
/** The secrets that belong to a user at a browser, who may have several registrations. */
const OF_A_BROWSER = /"(?:cookie|set-cookie|csrf_token)":"(?:[^"\\]|\\.)*"/g;

/** Which registration an exchange is about: the one that it names, else the one that its secrets were seen with. */
class RegistrationLinks {
  readonly #links = new Map<string, string>();

  /** @param json an exchange, redacted. */
  of(json: string): string | undefined {
    const text = json.replace(OF_A_BROWSER, '');
    const secrets = new Set(text.match(FINGERPRINT));
    const named = new Set(text.match(REGISTRATION));
    const [only, another] =
      named.size > 0 ? named : new Set([...secrets].flatMap((one) => this.#links.get(one) ?? []));
    if (only === undefined || another !== undefined) return undefined;
    for (const secret of secrets) this.#link(secret, only);
    return only;
  }

  #link(secret: string, registration: string): void {
    this.#links.delete(secret);
    this.#links.set(secret, registration);
    const [oldest] = this.#links.size > MAX_LINKS ? this.#links.keys() : [];
    if (oldest !== undefined) this.#links.delete(oldest);
  }
}

/** The exchanges are kept all together no longer than this, in characters: the first ones go first. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** Which of the exchanges are wanted. */
export interface ExchangeQuery {
  /** The `seq` of the last exchange that is known. Default: 0, from the first one that is kept. */
  readonly since?: number | undefined;
  /** Default: all. */
  readonly limit?: number | undefined;
}

/** Exchanges in the order of their answers, and whether some are missing before them. */
export interface ExchangePage {
  readonly exchanges: readonly Exchange[];
  /** How many after `since` are no longer kept: there were more than the log keeps. */
  readonly dropped: number;
  /** The `seq` of the last exchange that there was; 0 before the first one. */
  readonly latest: number;
}

/** What was recorded of an exchange: it is redacted when somebody reads it, which most are never. */
export interface Recorded {
  readonly to: Receiver;
  /** About how long it is, in characters. */
  readonly length: number;
  /** Redacts it; undefined where that failed. */
  redact(): Omit<Exchange, 'seq'> | undefined;
}

interface Kept {
  readonly seq: number;
  readonly to: Receiver;
  readonly length: number;
  /** Text cannot be changed. */
  readonly content: string | Recorded;
}

/**
 * The last exchanges of a mock, or of several, in this process: a replica on the same database has its own.
 * What is read is redacted, in the order of the answers: a secret is known again as long as the exchange
 * that gave it out is kept.
 */
export class ExchangeLog {
  /** The most that are kept; 0: nothing is recorded. */
  readonly kept: number;
  readonly redactor = new Redactor(processFingerprint);
  readonly #ring: Kept[] = [];
  /** Where the ring begins in its array, which is cut now and then. */
  #start = 0;
  #length = 0;
  #latest = 0;
  /** The last one that is gone because it was emptied. */
  #emptied = 0;
  #resets = 0;
  readonly #registrations = new RegistrationLinks();
  readonly #listeners = new Set<(seq: number) => void>();

  /** @throws TypeError when `kept` is no whole number from 0 to 1,000,000. */
  constructor(kept: number = DEFAULT_KEPT) {
    if (!Number.isSafeInteger(kept) || kept < 0 || kept > MOST_KEPT) {
      throw new TypeError(
        `exchanges must be a whole number from 0 to ${MOST_KEPT}, not ${String(kept)}.`,
      );
    }
    this.kept = kept;
  }

  /** The `seq` of the last exchange that there was; 0 before the first one. Redacts nothing. */
  get latest(): number {
    return this.#latest;
  }

  /** How often it was emptied. */
  get resets(): number {
    return this.#resets;
  }

  /** Numbers an exchange and keeps it. */
  add(recorded: Recorded): number {
    const { length, to } = recorded;
    this.#latest += 1;
    this.#ring.push({ seq: this.#latest, to, length, content: recorded });
    this.#length += length;
    this.#drop();
    this.#tell(this.#latest);
    return this.#latest;
  }

  /**
   * Calls `listener` with the `seq` of each exchange that is added, and again when the rest of one has come.
   * It reads them when it is ready to: redacting costs, and is left out where nobody looks.
   * @returns ends it.
   */
  follow(listener: (seq: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Puts the whole exchange where its beginning was, if that is still kept. */
  complete(seq: number, recorded: Recorded): void {
    const { length } = recorded;
    const at = this.#find(seq);
    const before = this.#ring[at];
    if (before?.seq !== seq) return;
    this.#length += length - before.length;
    this.#ring[at] = { ...before, length, content: recorded };
    this.#drop();
    this.#tell(seq);
  }

  /** The exchanges that are kept, oldest first. */
  read({ since = 0, limit = Number.POSITIVE_INFINITY }: ExchangeQuery = {}): ExchangePage {
    const begin = this.#find(since + 1);
    const end = Math.min(begin + limit, this.#ring.length);
    // From the first one that is kept: what it gave out may come again in the later ones.
    for (let at = this.#start; at < end; at += 1) this.#redact(at);
    const page = this.#ring.slice(begin, end);
    const oldest = this.#ring[this.#start]?.seq ?? this.#latest + 1;
    return {
      exchanges: page.flatMap(({ content }) =>
        typeof content === 'string' && content !== '' ? [JSON.parse(content) as Exchange] : [],
      ),
      dropped: Math.max(0, oldest - 1 - Math.max(since, this.#emptied)),
      latest: this.#latest,
    };
  }

  /** Forgets those of one mock; the numbers go on. */
  empty(to: Receiver): void {
    this.#resets += 1;
    const others = this.#ring.slice(this.#start).filter((kept) => kept.to !== to);
    this.#ring.splice(0, this.#ring.length, ...others);
    this.#start = 0;
    this.#length = others.reduce((sum, { length }) => sum + length, 0);
    this.#emptied = (others[0]?.seq ?? this.#latest + 1) - 1;
  }

  #tell(seq: number): void {
    for (const listener of this.#listeners) listener(seq);
  }

  #redact(at: number): void {
    const kept = this.#ring[at];
    if (kept === undefined || typeof kept.content === 'string') return;
    const exchange = kept.content.redact();
    const content = exchange === undefined ? '' : this.#write({ seq: kept.seq, ...exchange });
    this.#length += content.length - kept.length;
    this.#ring[at] = { ...kept, content, length: content.length };
  }

  #write(exchange: Exchange): string {
    const json = JSON.stringify(exchange);
    const registrationId = this.#registrations.of(json);
    return registrationId === undefined ? json : JSON.stringify({ ...exchange, registrationId });
  }

  #drop(): void {
    while (
      this.#ring.length - this.#start > this.kept ||
      (this.#length > MAX_LENGTH && this.#ring.length - this.#start > 1)
    ) {
      this.#length -= this.#ring[this.#start]?.length ?? 0;
      delete this.#ring[this.#start];
      this.#start += 1;
    }
    if (this.#start > 1_000 && this.#start > this.#ring.length / 2) {
      this.#ring.splice(0, this.#start);
      this.#start = 0;
    }
  }

  /** Where the first exchange with this number or a higher one is. */
  #find(seq: number): number {
    let low = this.#start;
    let high = this.#ring.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ring[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What the option `exchanges` means. @throws TypeError as {@link ExchangeLog}. */
export function exchangeLog(given: number | ExchangeLog | undefined): ExchangeLog {
  return given instanceof ExchangeLog ? given : new ExchangeLog(given);
}
