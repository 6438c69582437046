import type { Form, FormResult } from '../../../src/mock/http/request.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';

/** A form with one value a parameter, whatever its name. */
export function singleValues(get: Form['get']): Form {
  return { get, getAll: (name) => [get(name) ?? []].flat() };
}

/** A form of plain pairs, the last of two winning. */
export function formOf(pairs: Iterable<readonly [string, string]>): FormResult {
  const values = new Map(pairs);
  return { ok: true, form: singleValues((name) => values.get(name) || undefined) };
}

export function pairsOf(json: string): readonly (readonly [string, string])[] {
  const members = Object.entries(JSON.parse(json) as JsonObject);
  return members.map(([name, value]) => [name, String(value)]);
}
