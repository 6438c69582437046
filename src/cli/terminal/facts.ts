import type { Style } from './style.ts';
import { table } from './table.ts';

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
