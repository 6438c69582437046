import type { RuleId } from '../../../discovery/rules/rule-table.ts';
import { CLIENT_DOCUMENT_LIMIT } from '../../../protocol/client-id.ts';
import { type JsonObject, type JsonProblem, parseJsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import type { Report } from '../finding.ts';

/** Why a text, or what was sent in its place, is no document: the rule that says so, and a sentence. */
export type Trouble = readonly [rule: RuleId, message: string, instead?: string];

const PROBLEMS: Readonly<Record<JsonProblem, string>> = {
  not_json: 'is not JSON',
  not_an_object: 'is JSON, but no object',
  too_deep: 'is nested too deeply',
  duplicate_member: 'names a member twice',
  unstorable_text: 'has characters that are not allowed in text',
};

/** The JSON object in a text without a byte order mark, or why there is none. */
export function readJson(text: string): JsonObject | Trouble {
  if (text.trim() === '') return ['not-json', 'It is empty.'];
  const result = parseJsonObject(text);
  if (result.ok) return result.value;
  if (isPage(text)) return ['html-for-json', 'It is an HTML page.'];
  const reason = result.problem === 'not_json' ? reasonOf(text) : '';
  return ['not-json', `It ${PROBLEMS[result.problem]}${reason}.`];
}

export function isTrouble(read: JsonObject | Trouble): read is Trouble {
  return Array.isArray(read);
}

/** Reports a client's document that is larger than servers read. */
export function reportSize(report: Report, name: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= CLIENT_DOCUMENT_LIMIT) return;
  report('client-too-large', name, `It has ${bytes} bytes; servers may read no more than 5 kB.`);
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
