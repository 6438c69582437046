import { timeOfDay } from '../parts/countdown.ts';
import { visibleLine } from '../parts/visible-text.ts';
import type { Row } from './rows.ts';
import { TONE_WORDS, toneOf } from './tone.ts';

/** A line of the diagram as it is read aloud. */
export function rowLabel(row: Row): string {
  if (row.kind === 'gap') return gapText(row.count);
  const { all, exchange, mark } = row;
  const { at, findings, from, meaning, method, path, status, to } = exchange;
  return [
    `${from} to ${to}`,
    visibleLine(`${method} ${path}`, 200),
    status === null ? 'no answer' : `${status} ${TONE_WORDS[toneOf(exchange)]}`,
    visibleLine(meaning, 200),
    all.length > 1 ? `${all.length} times` : '',
    mark === undefined ? '' : `now ${mark}`,
    findings.length === 0 ? '' : countFindings(findings.length),
    `at ${timeOfDay(at)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

export function countFindings(count: number): string {
  return count === 1 ? '1 finding' : `${count} findings`;
}

export function gapText(count: number): string {
  const exchanges = count === 1 ? 'exchange is' : 'exchanges are';
  return `${count.toLocaleString('en')} ${exchanges} no longer kept`;
}
