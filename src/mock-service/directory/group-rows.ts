import type { Row } from '../../mock/index.ts';

/** Rows by the value of one or several columns, each group in the order that the rows came in. */
export function groupRows(
  rows: readonly Row[],
  ...columns: readonly string[]
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = groupKey(row, ...columns);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

export function groupKey(row: Row, ...columns: readonly string[]): string {
  return columns.map((name) => String(row[name])).join(' ');
}
