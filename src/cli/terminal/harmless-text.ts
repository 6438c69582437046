import { displayText } from '../../protocol/text.ts';

/** A line without end is shown in pieces of this many characters. */
const PIECE = 64 * 1024;

/** A break of a line that surely is whole: after a carriage return a line feed may follow. */
const BREAK = /\r\n|[\n\u0085\u2028\u2029]|\r(?=[^\n])/;

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/**
 * A peer's text, line by line as it arrives, without what would move the cursor, write elsewhere or turn
 * the direction of the text. What can be seen stays.
 */
export class HarmlessText {
  /** Whether something was left out. */
  changed = false;
  #pending = '';

  /** @returns what can be shown now. */
  push(text: string): string {
    const lines = (this.#pending + text).split(BREAK);
    let rest = lines.pop() ?? '';
    let shown = lines.map((line) => `${this.#clean(line)}\n`).join('');
    while (rest.length > PIECE) {
      const end = PIECE - (HIGH_SURROGATE.test(rest.charAt(PIECE - 1)) ? 1 : 0);
      shown += this.#clean(rest.slice(0, end));
      rest = rest.slice(end);
    }
    this.#pending = rest;
    return shown;
  }

  /** @returns the rest, for which no line break came. */
  end(): string {
    const rest = this.push('\n');
    this.#pending = '';
    return rest.replace(/\n$/, '');
  }

  #clean(line: string): string {
    const spaced = line.replaceAll('\t', '    ');
    const clean = displayText(spaced, Number.POSITIVE_INFINITY);
    if (clean !== spaced) this.changed = true;
    return clean;
  }
}
