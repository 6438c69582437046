import { stripVTControlCharacters } from 'node:util';
import type { Context } from '../shell/context.ts';
import { eraseUp } from '../terminal/escape-codes.ts';
import { qrCode } from '../terminal/qr-code.ts';
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
