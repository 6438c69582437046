import type { Exchange } from './exchange.ts';
import { INSTANT, isTime } from './times.ts';

const FINGERPRINT = /(?:([\w-]+)=|(\/c\/))?(secret~[\w-]{8})/g;
/** A prefix and 160 random bits: without an upper-case letter it would be a word that somebody chose. */
const ID = /\b([a-z]{2,8})_(?=[\w-]*[A-Z])[\w-]{20,}/g;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
const HTTP_DATE = /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
const LOOPBACK =
  /https?(?::\/\/|%3A%2F%2F)(?:127(?:\.\d+){3}|localhost|\[::1\])(?:(?::|%3A)\d+)?/gi;

/** Members whose values are drawn or computed in each run. */
const DRAWN = new Set(['etag', 'jti', 'kid', 'nonce']);

/** What an id is called, by its prefix. */
export const ID_KINDS: Readonly<Record<string, string>> = {
  reg: 'registration_id',
  cla: 'claim_attempt_id',
  usr: 'user_id',
};

/** Gives each value that another run would have otherwise a name: `{kind_1}`, in the order of appearance. */
export class StableNames {
  /** The names by the value. */
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param exchanges say which origins are the mocks'. */
  constructor(exchanges: readonly Pick<Exchange, 'to' | 'url'>[]) {
    for (const { to, url } of exchanges) {
      const { origin } = new URL(url);
      if (!this.#names.has(origin)) this.#names.set(origin, `{${to}}`);
    }
  }

  /** @param key the member or the header that the text is the value of. */
  text(text: string, key: string): string {
    if (DRAWN.has(key)) return this.whole(text, key);
    let shown = text.replace(FINGERPRINT, (all, before = '', link = '', secret: string) => {
      const kind = this.#kindOf(key, before, link);
      return all.replace(secret, this.#name(secret, kind));
    });
    for (const [value, name] of this.#names) {
      if (name !== '{service}' && name !== '{provider}') continue;
      shown = shown.replaceAll(value, name).replaceAll(encodeURIComponent(value), name);
    }
    return shown
      .replace(LOOPBACK, (origin) => this.#name(decodeURIComponent(origin), 'origin'))
      .replace(ID, (id, prefix: string) => this.#name(id, ID_KINDS[prefix] ?? `${prefix}_id`))
      .replace(UUID, (uuid) => this.#name(uuid, 'uuid'))
      .replace(INSTANT, '{time}')
      .replace(HTTP_DATE, '{time}');
  }

  /** A value that is replaced as a whole. */
  whole(value: string, kind: string): string {
    return this.#name(value, kind);
  }

  number(value: number): number | string {
    return isTime(value) ? '{time}' : value;
  }

  #kindOf(key: string, before: string, link: string): string {
    if (link !== '') return 'claim_attempt_token';
    if (key === 'cookie' || key === 'set-cookie') return 'cookie';
    if (key === 'authorization') return 'token';
    return (before || key).toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  }

  #name(value: string, kind: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `{${kind}_${count}}`;
    this.#names.set(value, name);
    return name;
  }
}
