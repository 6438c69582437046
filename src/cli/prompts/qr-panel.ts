import { stripVTControlCharacters } from 'node:util';
import type { Context } from '../shell/context.ts';
import { eraseUp } from '../terminal/escape-codes.ts';
import type { Spinner } from '../terminal/spinner.ts';

/** A code on the screen, and the notes below it. */
interface Shown {
  readonly code: readonly string[];
  readonly notes: string[];
}

/**
 * The lines above the spinner: notes, and a QR code that is shown and removed. Notes written meanwhile
 * stay.
 */
export class QrPanel {
  readonly #context: Context;
  readonly #spinner: Spinner;
  #shown: Shown | undefined;
  /** Key presses are handled in order: one may come before the first drawing is done. */
  #last: Promise<void> = Promise.resolve();

  constructor(context: Context, spinner: Spinner) {
    this.#context = context;
    this.#spinner = spinner;
  }

  note(text: string): void {
    this.#shown?.notes.push(text);
    this.#spinner.interrupt(() => this.#context.output.say(text));
  }

  /** Draws the URL as a QR code, or removes it. */
  toggle(url: string): Promise<void> {
    const turn = async () => {
      if (this.#shown === undefined) await this.#show(url);
      else this.#hide(this.#shown);
    };
    this.#last = this.#last.then(turn, turn);
    return this.#last;
  }

  async #show(url: string): Promise<void> {
    const drawn = await drawQrCode(this.#context, url);
    if (typeof drawn === 'string') {
      this.note(drawn);
      return;
    }
    this.#shown = { code: drawn, notes: [] };
    this.#spinner.interrupt(() => this.#context.output.say(drawn.join('\n')));
  }

  #hide({ code, notes }: Shown): void {
    const { output, world } = this.#context;
    const { stderr } = world.streams;
    this.#shown = undefined;
    const height = code.length + notes.reduce((sum, note) => sum + rowsOf(note, stderr.columns), 0);
    this.#spinner.interrupt(() => {
      stderr.write(eraseUp(height));
      for (const note of notes) output.say(note);
    });
  }
}

/** Its lines, or the sentence that it does not fit on the screen. */
export async function drawQrCode(
  { world }: Context,
  url: string,
): Promise<readonly string[] | string> {
  const { columns, node } = world.streams.stderr;
  const { lines, width } = await qrCode(url);
  const room = node.rows === undefined || node.rows === 0 ? Number.POSITIVE_INFINITY : node.rows;
  // One line is left for what follows it: the spinner, or a question.
  if (width <= columns && lines.length < room) return lines;
  return `The QR code needs ${width} columns and ${lines.length + 1} lines.`;
}

/** How many rows of the screen a text takes. */
function rowsOf(text: string, columns: number): number {
  const lengths = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => [...line].length);
  return lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / columns)), 0);
}

interface QrCode {
  readonly lines: readonly string[];
  /** The width in columns of the terminal. */
  readonly width: number;
}

/** Black on white of the palette that no theme changes, unlike the first 16 colours. */
const DARK_ON_LIGHT = '\u001b[38;5;16;48;5;231m';
const PLAIN = '\u001b[0m';

/** A URL as a QR code, two modules per character: dark on light in any theme of the terminal. */
async function qrCode(url: string): Promise<QrCode> {
  const { encode } = await import('uqr');
  // The quiet zone is light, too; a phone tolerates half of the four modules that the standard asks for.
  const { data, size } = encode(url, { border: 2 });
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2) {
    const cells = (data[y] ?? []).map((top, x) => cell(top, data[y + 1]?.[x] ?? false));
    lines.push(DARK_ON_LIGHT + cells.join('') + PLAIN);
  }
  return { lines, width: size };
}

function cell(top: boolean, bottom: boolean): string {
  if (top) return bottom ? '█' : '▀';
  return bottom ? '▄' : ' ';
}
