import type { Style } from './style.ts';

const BELOW = '\n  ';

/**
 * Columns set flush left, two spaces apart; colours do not count. The last column is left ragged. Where they are
 * wider than the screen, each row goes on below at the same columns, so that a head stands above what it names.
 */
export function table(
  rows: readonly (readonly string[])[],
  screen = Number.POSITIVE_INFINITY,
): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell));
    });
  }
  let taken = -2;
  const gaps = widths.map((width, column) => {
    taken += 2 + width;
    if (column === 0 || taken <= screen) return column === 0 ? '' : '  ';
    taken = 2 + width;
    return BELOW;
  });
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const last = column === row.length - 1 || gaps[column + 1] === BELOW;
          return gaps[column] + pad(cell, widths[column] ?? 0, last);
        })
        .join(''),
    )
    .join('\n');
}

function pad(cell: string, to: number, last: boolean): string {
  return last ? cell : cell + ' '.repeat(Math.max(0, to - width(cell)));
}

/** How many columns a text takes. */
export function width(text: string): number {
  return [...plain(text)].length;
}

/** The text without colours and links. */
export function plain(text: string): string {
  // `import` of node:util would load all that it has.
  const { stripVTControlCharacters } = process.getBuiltinModule('node:util');
  return stripVTControlCharacters(text);
}

/** `name  value` lines, names dimmed and aligned; `undefined` values are left out. */
export function facts(
  style: Style,
  pairs: readonly (readonly [name: string, value: string | undefined])[],
): string {
  return table(
    pairs.flatMap(([name, value]) =>
      value === undefined ? [] : [[`  ${style.dim(name)}`, value]],
    ),
  );
}
