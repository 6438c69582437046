/** The known name that was probably meant, whatever its case and its dashes. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = simplify(name);
  const ranked = known
    .map((each) => ({ each, distance: distance(plain, simplify(each)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  // Of a longer word a quarter may be wrong; more is another word, as "tcsh" is to "bash".
  const most = plain.length < 5 ? 1 : Math.max(2, Math.floor(plain.length / 4));
  return best !== undefined && best.distance <= most ? best.each : undefined;
}

/** ` Did you mean dialect?`, to go on after a sentence, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function simplify(name: string): string {
  return name.slice(0, 60).toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** How many letters have to be added, taken away or replaced, or change places with their neighbour. */
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = letter === to[column - 1] && from[index - 1] === other;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
