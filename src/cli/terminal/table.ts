/** Columns set flush left, two spaces apart; colours do not count. The last column is left ragged. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell));
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0, column === row.length - 1))
        .join('  '),
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

/** Without colours and links. */
export function plain(text: string): string {
  // `import` of node:util would load all that it has.
  const { stripVTControlCharacters } = process.getBuiltinModule('node:util');
  return stripVTControlCharacters(text);
}
