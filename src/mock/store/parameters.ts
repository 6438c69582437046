import { isStorableText } from '../../protocol/text.ts';
import type { Value } from './database.ts';

/** Quoted text and comments, which hold no parameters. */
export const QUOTED = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*/g;

/** How many `?` a statement has, those in quotes left out. */
export function countParameters(sql: string): number {
  return sql.replace(QUOTED, '').split('?').length - 1;
}

/**
 * The driver would turn a missing parameter into NULL, cut text at U+0000 and abort the process on a
 * boolean: each is a mistake in this program, and refused before it gets there.
 * @throws TypeError
 */
export function checkParameters(expected: number, params: readonly Value[]): void {
  if (params.length !== expected) {
    throw new TypeError(`The statement takes ${expected} parameters, not ${params.length}.`);
  }
  for (let at = 0; at < expected; at += 1) {
    const value = params[at];
    const good =
      typeof value === 'string'
        ? isStorableText(value)
        : value === null || Number.isSafeInteger(value);
    if (!good) throw new TypeError(`Parameter ${at + 1} cannot be stored.`);
  }
}
