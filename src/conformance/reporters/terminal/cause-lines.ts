import type { Cause, Report } from '../../engine/model.ts';
import { plainText } from '../../engine/plain-text.ts';
import * as view from '../report-view.ts';
import { HANGING, type Paint, wrap } from './paint.ts';

/** The first screen shows so many lines of an entry that has more text. */
const MOST_LINES = 2;
/** A longer line to repeat is left to `--verbose`. */
const LONGEST_REPEAT = 500;

/** Every cause in full. */
export function allCauses(report: Report, paint: Paint, width: number): readonly string[] {
  return view
    .causeSections(report)
    .flatMap(({ heading, causes }) => [
      paint('bold', heading),
      ...causes.flatMap((cause) => [...whole(cause, paint, width), '']),
    ]);
}

/** Title and checks, on one line where they fit. */
export function titleOfCause(cause: Cause, paint: Paint, width: number): readonly string[] {
  const mark = paint(cause.status, view.SYMBOL[cause.status]);
  // Until somebody says why, the reason in a baseline is the sentence of the check.
  const known =
    cause.known === undefined || cause.known === cause.title
      ? ''
      : ` Known: ${plainText(cause.known) || 'no reason given'}`;
  const [first = '', ...rest] = wrap(plainText(cause.title) + known, width - 2, '', '');
  const label = view.checksOf(cause);
  const last = rest.at(-1) ?? first;
  const isBeside = 2 + last.length + 2 + label.length <= width;
  const lines = [`${mark} ${first}`, ...rest.map((line) => `  ${line}`)];
  if (label === '') return lines;
  if (isBeside) return [...lines.slice(0, -1), `${lines.at(-1)}  ${paint('dim', label)}`];
  return [...lines, `    ${paint('dim', label)}`];
}

/** How many of the other checks of a cause say what they saw while the rest is left to `--verbose`. */
const MOST_ALSO = 4;

/** The other checks that found it, a line each. */
function alsoLines({ also = [] }: Cause, width: number, most: number): readonly string[] {
  // One more takes no more room than the line that says so.
  const left = also.length === most + 1 ? 0 : also.length - most;
  const shown = also
    .slice(0, also.length - Math.max(left, 0))
    .map(({ check, seen }) => wrap(`also      ${check}: ${plainText(seen)}`, width));
  return [
    ...(most === Number.POSITIVE_INFINITY ? shown.flat() : shown.map((lines) => oneLine(lines))),
    ...(left > 0 ? [`${HANGING}and ${left} more: --verbose`] : []),
  ];
}

function oneLine([first = '', ...rest]: readonly string[]): string {
  return rest.length > 0 ? `${first}…` : first;
}

/** Title, and a line of what was seen. */
export function briefCause(cause: Cause, paint: Paint, width: number): readonly string[] {
  return [
    ...titleOfCause(cause, paint, width),
    ...seenLines(cause, width, 1),
    ...alsoLines(cause, width, MOST_ALSO),
    ...adviceLines(cause, width),
  ];
}

/** What is needed to see it again, cut. */
export function detailedCause(cause: Cause, paint: Paint, width: number): readonly string[] {
  const { repeat } = cause;
  const isShort = repeat !== undefined && repeat.length <= LONGEST_REPEAT;
  return [
    ...titleOfCause(cause, paint, width),
    ...expectedLines(cause, width),
    ...seenLines(cause, width, MOST_LINES),
    ...alsoLines(cause, width, MOST_ALSO),
    ...tokenLines({ ...cause, tokens: cause.tokens?.slice(0, 1) ?? [] }, width, MOST_LINES),
    ...adviceLines(cause, width),
    ...(isShort ? [repeatText(repeat, paint)] : []),
    // What was expected names its source already.
    ...(cause.kind !== 'missing' && view.expectedOf(cause) === undefined
      ? readLines(cause, paint, 1)
      : []),
  ];
}

function whole(cause: Cause, paint: Paint, width: number): readonly string[] {
  const { repeat, checks, resting, moreFindings, known, also = [] } = cause;
  const told = new Set(also.map(({ check }) => check));
  const others = [...checks.slice(1).filter((id) => !told.has(id)), ...resting];
  return [
    ...titleOfCause(cause, paint, width),
    ...expectedLines(cause, width),
    ...seenLines(cause, width, Number.POSITIVE_INFINITY),
    ...(moreFindings > 0 ? [`              and ${moreFindings} more like it`] : []),
    ...alsoLines(cause, width, Number.POSITIVE_INFINITY),
    ...tokenLines(cause, width),
    ...adviceLines(cause, width),
    ...(repeat === undefined ? [] : [repeatText(repeat, paint)]),
    ...(known === undefined
      ? []
      : wrap(`known     ${plainText(known) || 'no reason given'}`, width)),
    ...(others.length === 0 ? [] : wrap(`also      ${others.join(', ')}`, width)),
    ...readLines(cause, paint, 3),
  ];
}

/** Where it is written what has to be so. Never wrapped: it is there to be opened. */
function readLines({ sources }: Cause, paint: Paint, most: number): readonly string[] {
  return sources
    .slice(0, most)
    .map(({ text, href = '' }) => paint('dim', `    read      ${text} ${href}`.trimEnd()));
}

function expectedLines(cause: Cause, width: number): readonly string[] {
  const expected = view.expectedOf(cause);
  const [first] = cause.sources;
  if (expected === undefined) return [];
  const source = first === undefined || expected.includes(first.text) ? '' : ` (${first.text})`;
  return wrap(`expected  ${plainText(expected)}${source}`, width);
}

function seenLines({ kind, seen }: Cause, width: number, most: number): readonly string[] {
  if (seen === undefined) return [];
  const label = kind === 'missing' ? 'because' : 'seen';
  return wrap(`${label.padEnd(10)}${cut(plainText(seen), width, most)}`, width).slice(0, most);
}

function cut(text: string, width: number, lines: number): string {
  const room = lines * (width - HANGING.length);
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

function tokenLines(
  { tokens = [] }: Cause,
  width: number,
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  return tokens.flatMap((token) => {
    const text = plainText(view.tokenText(token), Number.POSITIVE_INFINITY);
    return wrap(`token     ${cut(text, width, most)}`, width);
  });
}

function adviceLines(cause: Cause, width: number): readonly string[] {
  const advice = view.adviceOf(cause);
  return advice === undefined ? [] : wrap(`add       ${advice}`, width);
}

/** Never wrapped: it is there to be copied. */
function repeatText(repeat: string, paint: Paint): string {
  return `    again     ${paint('dim', repeat)}`;
}
