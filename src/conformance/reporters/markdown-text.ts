import { plainText } from '../engine/plain-text.ts';

/**
 * Text that stays text, whatever the judged peer wrote into it: no markup, no tag, and no URL that is
 * linked automatically.
 */
export function inline(text: string): string {
  return html(text)
    .replace(/[\\`*_{}[\]#|~@]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
}

/** A code span that no backtick inside can end. */
export function code(text: string, limit?: number): string {
  const plain = plainText(text, limit);
  const fence = '`'.repeat(longestRun(plain) + 1);
  return `${fence} ${plain} ${fence}`;
}

export function fenced(text: string, language = 'http'): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

export function html(text: string): string {
  return plainText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
