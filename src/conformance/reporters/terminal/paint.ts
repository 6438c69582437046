import type { Status } from '../../engine/model.ts';

const CODES: Readonly<Record<Status | 'bold' | 'dim', readonly [number, number]>> = {
  pass: [32, 39],
  fail: [31, 39],
  untestable: [31, 39],
  warn: [33, 39],
  skip: [2, 22],
  bold: [1, 22],
  dim: [2, 22],
};

/** Colours a text, where there is colour. */
export type Paint = (as: keyof typeof CODES, text: string) => string;

export function paintWith(color: boolean): Paint {
  return (as, text) => {
    const [on, off] = CODES[as];
    return color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

const INDENT = 4;

/** What further lines of a labelled text begin with. */
export const HANGING = ' '.repeat(INDENT + 10);

/** Breaks at spaces; further lines are indented to the text, not to its label. */
export function wrap(
  text: string,
  width: number,
  first = ' '.repeat(INDENT),
  hanging = HANGING,
): readonly string[] {
  const room = Math.max(width, 40);
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/(?<=\S )(?=\S)/)) {
    if (line.length + word.trimEnd().length > room && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = hanging;
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
