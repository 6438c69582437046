/** What stands in the place of a secret. */
export const HIDDEN = '[secret removed]';

/** Shorter texts are no secrets, and hiding them would take words apart. */
const SHORTEST = 6;

/** The shortest part of a JWT: a shorter one, such as a header of two members, is no secret. */
const SHORTEST_PART = 24;

/** One character, in the ways in which a page, a link or JSON may write it. `%25` is an escaped `%`. */
const ESCAPED =
  /%(?:25)*([0-9a-f]{2})|\\+u00([0-9a-f]{2})|\\+x([0-9a-f]{2})|&(?:amp;)*#x0*([0-9a-f]{1,4});|&(?:amp;)*#0*(\d{1,5});|\\+([/"\\])/gi;

/**
 * What stands between the pieces of a text that was wrapped, spaced or listed; in JSON, too. A run of backslashes is
 * tried from its first alone: from each of them, a long one would take hours.
 */
const BETWEEN = /(?:[\s"',;]|(?<!\\)\\+[nrt])+/g;

/** A shorter secret could be words that follow one another. */
const SHORTEST_SPLIT = 16;

/**
 * Every secret that this process has met, to be kept out of what it says: plain, escaped (percent, JSON, HTML),
 * as base64, base64url or hex, within longer texts, and wrapped or spaced, too. A service knows its own token and can disguise it in
 * further ways; what it sends back by accident, or in a link, is caught.
 */
export class SecretMask {
  readonly #needles = new Set<string>();
  /** The longest first: a part of a secret must not take its middle away. */
  #sorted: Sorted | undefined;

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    const before = this.#needles.size;
    const parts = secret.split('.').filter((part) => part.length >= SHORTEST_PART);
    for (const one of new Set([secret, ...parts])) {
      if (this.#needles.has(one)) continue;
      for (const form of formsOf(one)) this.#needles.add(form);
    }
    if (this.#needles.size !== before) this.#sorted = undefined;
  }

  /** The text without any of them. */
  hide(text: string): string {
    const { all } = this.#needlesBy();
    return hideSplit(hideAll(text, all), all);
  }

  /**
   * The same for what is ours. A service chooses its secrets: one that chose a word of our sentences would have it
   * taken out of them. So what could be a word is left there.
   */
  hideInOurs(text: string): string {
    return hideAll(text, this.#needlesBy().noWords);
  }

  #needlesBy(): Sorted {
    if (this.#sorted === undefined) {
      const all = [...this.#needles].sort((a, b) => b.length - a.length);
      this.#sorted = { all, noWords: all.filter((needle) => !couldBeWords(needle)) };
    }
    return this.#sorted;
  }
}

interface Sorted {
  readonly all: readonly string[];
  readonly noWords: readonly string[];
}

/** No word of ours is longer, nor has one a digit. */
const LONGEST_WORD = 20;

function couldBeWords(text: string): boolean {
  return /\s/.test(text) || (text.length < LONGEST_WORD && !/\d/.test(text));
}

function hideAll(text: string, needles: readonly string[]): string {
  if (needles.length === 0 || text.length < SHORTEST) return text;
  let plain = text;
  for (const needle of needles) {
    if (plain.includes(needle)) plain = plain.replaceAll(needle, HIDDEN);
  }
  return hideEscaped(plain, needles);
}

function hideEscaped(text: string, needles: readonly string[]): string {
  return hideIn(text, readAs(text, ESCAPED, unescaped), needles);
}

function hideSplit(text: string, needles: readonly string[]): string {
  if (text.length < SHORTEST_SPLIT) return text;
  const long = needles.filter((needle) => needle.length >= SHORTEST_SPLIT);
  return hideIn(
    text,
    readAs(text, BETWEEN, () => ''),
    long,
  );
}

/** The text without what a reading of it has of the needles. */
function hideIn(text: string, { plain, starts }: Reading, needles: readonly string[]): string {
  if (plain.length === text.length) return text;
  const found = needles.flatMap((needle) => placesOf(plain, needle));
  if (found.length === 0) return text;
  let shown = '';
  let at = 0;
  for (const { from, to } of merged(found)) {
    shown += text.slice(at, starts[from]) + HIDDEN;
    at = starts[to] ?? text.length;
  }
  return shown + text.slice(at);
}

/** It and its encodings, whatever stands before it in the encoded text. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [0, 1, 2].flatMap((offset) => {
    const before = Buffer.alloc(offset);
    // Six bits a character: those that are shared with a neighbour say nothing of the secret alone.
    const first = Math.ceil((offset * 8) / 6);
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return (['base64', 'base64url'] as const).map((kind) =>
      Buffer.concat([before, bytes]).toString(kind).slice(first, whole),
    );
  });
  const hex = bytes.toString('hex');
  return [secret, ...encoded.filter((text) => text.length >= SHORTEST), hex, hex.toUpperCase()];
}

/** A text as it is read once what a pattern matches is replaced. */
interface Reading {
  readonly plain: string;
  /** Where each character of `plain`, and its end, begins in the text. */
  readonly starts: readonly number[];
}

/** @param write at most one character for a match. */
function readAs(text: string, pattern: RegExp, write: (match: RegExpExecArray) => string): Reading {
  let plain = '';
  const starts: number[] = [];
  let at = 0;
  const copyTo = (end: number) => {
    for (; at < end; at += 1) {
      plain += text[at];
      starts.push(at);
    }
  };
  for (const match of text.matchAll(pattern)) {
    copyTo(match.index);
    const written = write(match);
    plain += written;
    if (written !== '') starts.push(at);
    at += match[0].length;
  }
  copyTo(text.length);
  starts.push(text.length);
  return { plain, starts };
}

function unescaped([, percent, unicode, x, hexEntity, entity, quoted]: RegExpExecArray): string {
  const hex = percent ?? unicode ?? x ?? hexEntity;
  return (
    quoted ?? String.fromCharCode(hex === undefined ? Number(entity) : Number.parseInt(hex, 16))
  );
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** As replaceAll finds them, none within another: one character many times would be one at every place. */
function placesOf(text: string, needle: string): readonly Place[] {
  const places: Place[] = [];
  let to = 0;
  for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, to)) {
    to = from + needle.length;
    places.push({ from, to });
  }
  return places;
}

function merged(places: readonly Place[]): readonly Place[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...places].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}
