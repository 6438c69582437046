import type { Report } from '../model.ts';

// JSON.stringify escapes C0 controls alone; C1, bidi and invisible characters would reach a terminal.
const UNESCAPED = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The report itself, in ASCII where it matters; its schema is `report-schema.ts`. */
export function renderJson(report: Report): string {
  const text = JSON.stringify(report, null, 2).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}
