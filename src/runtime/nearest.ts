/** The known name that was probably meant, whatever its case and its dashes. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = simplify(name);
  const ranked = known
    .map((each) => ({ each, distance: distance(plain, simplify(each)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  // Two letters that changed places count as two.
  const most = plain.length < 4 ? 1 : Math.max(2, Math.floor(plain.length / 3));
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

/** Levenshtein's: how many letters have to be added, taken away or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
