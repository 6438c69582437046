import { type JsonObject, type JsonProblem, parseJsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';

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
  const problem = PROBLEMS[result.problem] + (result.problem === 'not_json' ? reasonOf(text) : '');
  return { ok: false, isPage: false, problem };
}

/** What the parser says of it, and the line. */
function reasonOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const { message } = error as SyntaxError;
    const [reason = ''] = message.split(
      /(?:, (?:\.{3})?"| in JSON at position| is not valid JSON)/,
    );
    const line = text.slice(0, positionOf(message, text)).split('\n').length;
    return `: ${displayText(reason, 100)}, in line ${line}`;
  }
}

/** V8 gives the position, or what stands around it: ten characters on each side that has more. */
function positionOf(message: string, text: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  const [, before, around] =
    /, (\.{3})?"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(message) ?? [];
  if (around === undefined) return text.length;
  const found = text.indexOf(around);
  return before === undefined ? found : found + 10;
}

export function isPage(text: string): boolean {
  return /^\uFEFF?\s*(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(
    text,
  );
}
