/** What stands in the place of a secret. */
export const HIDDEN = '[secret removed]';

/** Shorter texts are no secrets, and hiding them would take words apart. */
const SHORTEST = 6;

/** The shortest part of a JWT: a shorter one, such as a header of two members, is no secret. */
const SHORTEST_PART = 24;

/** A character, in the ways in which a page, a link or JSON may write it. `%25` is an escaped `%`. */
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
  /** The secrets in every form; the longest first: a part of a secret must not take its middle away. */
  #needles: readonly string[] = [];

  add(secret: string): void {
    if (secret.length < SHORTEST) return;
    const parts = secret.split('.').filter((part) => part.length >= SHORTEST_PART);
    const unknown = [secret, ...parts].filter((one) => !this.#needles.includes(one));
    if (unknown.length === 0) return;
    const all = new Set([...this.#needles, ...unknown.flatMap(formsOf)]);
    this.#needles = [...all].sort((a, b) => b.length - a.length);
  }

  /** The text without any of them. */
  hide(text: string): string {
    const long = this.#needles.filter((needle) => needle.length >= SHORTEST_SPLIT);
    return hideRead(hideEscaped(text, this.#needles), BETWEEN, () => '', long);
  }

  /**
   * The same for what is ours. A service chooses its secrets: one that chose a word of our sentences would have it
   * taken out of them. So what could be a word is left there.
   */
  hideInOurs(text: string): string {
    return hideEscaped(
      text,
      this.#needles.filter((needle) => !couldBeWords(needle)),
    );
  }
}

/** No word of ours is longer, nor has one a digit. */
const LONGEST_WORD = 20;

function couldBeWords(text: string): boolean {
  return /\s/.test(text) || (text.length < LONGEST_WORD && !/\d/.test(text));
}

/** Plain, and as it is read without its escapes. */
function hideEscaped(text: string, needles: readonly string[]): string {
  let plain = text;
  for (const needle of needles) plain = plain.replaceAll(needle, HIDDEN);
  return hideRead(plain, ESCAPED, unescaped, needles);
}

/**
 * The text without what a reading of it has of the needles.
 * @param write what a match is read as: at most one character.
 */
function hideRead(
  text: string,
  pattern: RegExp,
  write: (match: RegExpExecArray) => string,
  needles: readonly string[],
): string {
  const { plain, starts } = readAs(text, pattern, write);
  if (needles.length === 0 || plain.length === text.length) return text;
  const isSecret = new Uint8Array(plain.length + 1);
  for (const needle of needles) {
    // As replaceAll finds them, none within another: one character many times would be one at every place.
    let at = plain.indexOf(needle);
    for (; at >= 0; at = plain.indexOf(needle, at + needle.length)) {
      isSecret.fill(1, at, at + needle.length);
    }
  }
  let shown = '';
  let at = 0;
  for (let from = isSecret.indexOf(1); from >= 0; from = isSecret.indexOf(1, from)) {
    shown += text.slice(at, starts[from]) + HIDDEN;
    from = isSecret.indexOf(0, from);
    at = starts[from] ?? text.length;
  }
  return shown + text.slice(at);
}

/** A secret and its encodings, whatever stands before it in the encoded text. */
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
function readAs(text: string, pattern: RegExp, write: (match: RegExpExecArray) => string) {
  let plain = '';
  /** Where each character of `plain`, and its end, begins in the text. */
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
