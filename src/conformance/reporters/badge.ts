import type { Report } from '../engine/model.ts';
import { SECTIONS } from '../engine/model.ts';
import { escapeHtml } from './html/escape-html.ts';

const LABEL = 'agentic registration';

const COLORS = {
  conforms: { name: 'brightgreen', hex: '#2c7a32' },
  conforms_but: { name: 'yellowgreen', hex: '#5d7212' },
  inconclusive: { name: 'lightgrey', hex: '#5f6672' },
  does_not_conform: { name: 'red', hex: '#b3261e' },
} as const;

const WORDS = {
  conforms: 'conforms',
  conforms_but: 'conforms but for known',
  inconclusive: 'inconclusive',
  does_not_conform: 'does not conform',
} as const;

/** `conforms 96/96 · 210/214 · 88/88`: the verdict, and the scores of protocol, standards and attacks. */
function messageOf({ verdict, summary }: Report): string {
  const all = SECTIONS.map((section) => summary.sections[section]);
  const scores = all.map(({ passed, judged }) => `${passed}/${judged}`);
  const left = all.reduce((sum, { untestable }) => sum + untestable, 0);
  const words = WORDS[verdict.outcome];
  const known = verdict.outcome === 'conforms_but' ? ` ${verdict.known}` : '';
  const partly = verdict.selectedOnly || verdict.interrupted ? ' (in part)' : '';
  return `${words}${known}${partly} ${scores.join(' · ')}${left > 0 ? ` (${left} not judged)` : ''}`;
}

/** For a page that draws badges itself, in the form that shields.io reads from a URL. */
export function renderBadgeJson(report: Report): string {
  const badge = {
    schemaVersion: 1,
    label: LABEL,
    message: messageOf(report),
    color: COLORS[report.verdict.outcome].name,
  };
  return `${JSON.stringify(badge, null, 2)}\n`;
}

/** Of Verdana at 11 px, on average for these words: wide enough for any; `textLength` makes them fit. */
const PER_CHARACTER = 6.3;
const PADDING = 7;

function widthOf(text: string): number {
  return Math.round(text.length * PER_CHARACTER) + 2 * PADDING;
}

/** One file: no font, script or image from elsewhere. White text on each colour has a contrast of 4.5 or more. */
export function renderBadge(report: Report): string {
  const message = messageOf(report);
  const [left, right] = [widthOf(LABEL), widthOf(message)];
  const spoken = escapeHtml(`${LABEL}: ${message} (protocol, standards, attacks)`);
  const text = (from: number, width: number, words: string) =>
    `<text x="${from + width / 2}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" viewBox="0 0 ${left + right} 20" role="img" aria-label="${spoken}">`,
    `  <title>${spoken}</title>`,
    `  <clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    '  <g clip-path="url(#round)">',
    `    <rect width="${left}" height="20" fill="#3f4450"/>`,
    `    <rect x="${left}" width="${right}" height="20" fill="${COLORS[report.verdict.outcome].hex}"/>`,
    '  </g>',
    '  <g fill="#fff" text-anchor="middle" font-family="Verdana, DejaVu Sans, Geneva, sans-serif" font-size="11">',
    `    ${text(0, left, LABEL)}`,
    `    ${text(left, right, message)}`,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}
