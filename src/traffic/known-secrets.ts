const WORD = /[\w~-]{6,}/g;
const LONGER_WORD = /[\w~-]{7,}/g;
/** What stands for a secret already. */
const FINGERPRINT = /^secret~[\w-]{8}$/;

/** How many issued secrets are known again where nothing says that they are some. */
const MAX_KNOWN = 5_000;
const SHORTEST = 6;
const LONGEST = 200;
/** What users type is no longer (RFC 8628 §6.1), and has no form by which it would be known in a longer word. */
const LONGEST_CODE = 12;

/** The secrets that a mock has given out, each with what stands for it. */
export class KnownSecrets {
  readonly #fingerprints = new Map<string, string>();
  /** The lengths of the codes among them. */
  readonly #codeLengths = new Set<number>();
  /** How many became known. */
  learned = 0;

  add(secret: string, fingerprint: string): void {
    if (secret.length < SHORTEST || secret.length > LONGEST) return;
    if (!this.#fingerprints.delete(secret)) this.learned += 1;
    this.#fingerprints.set(secret, fingerprint);
    if (secret.length <= LONGEST_CODE) this.#codeLengths.add(secret.length);
    const [oldest] = this.#fingerprints.size > MAX_KNOWN ? this.#fingerprints.keys() : [];
    if (oldest !== undefined) this.#fingerprints.delete(oldest);
  }

  /** A text with each word that is one of them replaced. */
  replaceIn(text: string): string {
    return this.#fingerprints.size === 0
      ? text
      : text.replace(WORD, (word) => this.#fingerprints.get(word) ?? word);
  }

  /** A URL with each code replaced that stands within a longer word. */
  replaceWithin(url: string): string {
    return this.#codeLengths.size === 0
      ? url
      : url.replace(LONGER_WORD, (word) => this.#codesIn(word));
  }

  /** A code begins and ends anywhere, one of digits alone where the digits do. */
  #codesIn(word: string): string {
    if (FINGERPRINT.test(word)) return word;
    for (const length of this.#codeLengths) {
      for (let from = 0; from + length <= word.length; from += 1) {
        const code = word.slice(from, from + length);
        const fingerprint = this.#fingerprints.get(code);
        if (fingerprint === undefined) continue;
        const [before, after] = [word.slice(0, from), word.slice(from + length)];
        if (/^\d+$/.test(code) && (/\d$/.test(before) || /^\d/.test(after))) continue;
        return this.#codesIn(before) + fingerprint + this.#codesIn(after);
      }
    }
    return word;
  }
}
