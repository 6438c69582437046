import type { Report } from '../engine/model.ts';

// JSON.stringify escapes C0 controls alone; C1, bidi and invisible characters would reach a terminal.
const UNESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** A surrogate without its other half, as JSON.stringify escapes it: no Unicode, which readers refuse (RFC 8259 §8.2). */
const UNPAIRED = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** The report itself. What could steer a terminal is escaped; the members are those of `Report`. */
export function renderJson(report: Report): string {
  return renderJsonValue(report);
}

/** Renders any JSON of a report. */
export function renderJsonValue(value: object): string {
  const text = JSON.stringify(value, null, 2).replace(UNPAIRED, '$1\\ufffd');
  return `${text.replace(UNESCAPED, escaped)}\n`;
}

/** JSON writes a character beyond U+FFFF as its two surrogates (RFC 8259 §7). */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
