import { plainLines } from '../../engine/plain-text.ts';

/** Text for an element or a quoted attribute, whatever the judged peer wrote into it. */
export function escapeHtml(text: string, limit?: number): string {
  return plainLines(text, limit)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
