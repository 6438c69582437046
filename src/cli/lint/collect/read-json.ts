import { type JsonObject, type JsonProblem, parseJsonObject } from '../../../protocol/json.ts';

const PROBLEMS: Readonly<Record<JsonProblem, string>> = {
  not_json: 'is not JSON',
  not_an_object: 'is JSON, but no object',
  too_deep: 'is nested too deeply',
  duplicate_member: 'names a member twice',
  unstorable_text: 'has characters that are not allowed in text',
};

export type ReadJson =
  | { readonly ok: true; readonly json: JsonObject }
  | { readonly ok: false; readonly isPage: boolean; readonly problem: string };

/** The JSON object in a text, or a clause on what it is instead. A byte order mark is no JSON (RFC 8259 §8.1). */
export function readJson(text: string): ReadJson {
  if (text.trim() === '') return { ok: false, isPage: false, problem: 'is empty' };
  const result = parseJsonObject(text);
  if (result.ok) return { ok: true, json: result.value };
  if (isPage(text)) return { ok: false, isPage: true, problem: 'is an HTML page' };
  return { ok: false, isPage: false, problem: PROBLEMS[result.problem] };
}

export function isPage(text: string): boolean {
  return /^\uFEFF?\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(
    text,
  );
}
