import type { Cause, CauseKind, Report } from '../../engine/model.ts';
import { type CauseSection, causeSections } from '../report-view.ts';
import { briefCause, detailedCause, titleOfCause } from './cause-lines.ts';
import { type Paint, wrap } from './paint.ts';

/** Lines of what is wrong or missing: with verdict and counts it is at most 40. */
const ROOM = 27;

/** How many entries a section shows while there are others; it says how many more there are. */
const SHOWN: Readonly<Record<CauseKind, number>> = {
  attack: 5,
  missing: 2,
  protocol: 2,
  ema: 2,
  standards: 1,
  known: 1,
  warning: 0,
};

/** The forms of an entry, shortest first. */
const FORMS = [titleOfCause, briefCause, detailedCause] as const;

interface Entry {
  readonly cause: Cause;
  form: number;
}

interface Part {
  readonly section: CauseSection;
  readonly entries: readonly Entry[];
}

/**
 * What fits on a screen: each section has its first entries, by their titles at least, and says how many more
 * there are. What room is left shows them at length: the worst first, then all a little, then all of it.
 */
export function firstScreen(report: Report, paint: Paint, width: number): readonly string[] {
  const sections = causeSections(report).filter(({ kind }) => kind !== 'warning');
  const parts = sections.map((section): Part => {
    const shown = sections.length === 1 ? ROOM / 2 : SHOWN[section.kind];
    // One more takes no more room than the line that says so.
    const most = section.causes.length === shown + 1 ? shown + 1 : shown;
    return { section, entries: section.causes.slice(0, most).map((cause) => ({ cause, form: 0 })) };
  });
  const draw = () => parts.flatMap((part) => partLines(part, paint, width));
  const entries = parts.flatMap((part) => part.entries);
  const upgrades = [
    ...entries.slice(0, 1).map((entry) => [entry, 2] as const),
    ...entries.map((entry) => [entry, 1] as const),
    ...entries.map((entry) => [entry, 2] as const),
  ];
  for (const [entry, form] of upgrades) {
    const before = entry.form;
    entry.form = Math.max(before, form);
    if (draw().length > ROOM) entry.form = before;
  }
  return [...draw(), ...warningLines(report, paint, width)];
}

function partLines(
  { section: { heading, causes }, entries }: Part,
  paint: Paint,
  width: number,
): readonly string[] {
  const left = causes.length - entries.length;
  return [
    paint('bold', heading),
    ...entries.flatMap(({ cause, form }) => (FORMS[form] ?? titleOfCause)(cause, paint, width)),
    ...(left > 0 ? [paint('dim', `  and ${left} more: --verbose`)] : []),
    '',
  ];
}

/** How many warnings are named, for `--only`: one of them alone is judged in a moment. */
const MOST_NAMED = 6;

/** How many, which, and how to see one. */
function warningLines({ causes }: Report, paint: Paint, width: number): readonly string[] {
  const warnings = causes.filter(({ kind }) => kind === 'warning');
  const ids = warnings.flatMap(({ checks }) => checks);
  const count = ids.length;
  if (count === 0) return [];
  const left = ids.length - MOST_NAMED;
  const named = `${ids.slice(0, MOST_NAMED).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
  const how = `See ${count === 1 ? 'it' : 'all'} with --verbose`;
  const one = count > 1 ? ', or one with --only ID --verbose' : '';
  return wrap(`${counted(count)}: ${named}. ${how}${one}.`, width, `${paint('warn', '!')} `, '  ');
}

function counted(warnings: number): string {
  return `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}
