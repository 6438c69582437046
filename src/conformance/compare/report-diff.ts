import type { Role, Status } from '../engine/model.ts';
import { align } from './align.ts';
import { type Difference, differencesOf } from './differences.ts';
import type { PastCheck, PastReport, PastScenario } from './past-report.ts';

/**
 * How a check changed. `worse`: it passed or only warned, and now it fails or cannot be tested; `weaker`: it
 * passed and now warns; `unjudged`: it was judged and is now skipped; `judged`: the other way round.
 */
export const CHANGES = ['worse', 'weaker', 'better', 'unjudged', 'judged', 'new', 'gone'] as const;
export type Change = (typeof CHANGES)[number];

export interface CheckChange {
  readonly id: string;
  readonly title: string;
  readonly change: Change;
  /** Absent where that report has no such check. */
  readonly a?: Status;
  readonly b?: Status;
  /** What the second report says of it: what it saw first, or why it was not judged. */
  readonly why?: string;
}

/** A difference, how often it was met, and where first. */
export interface AnswerChange extends Difference {
  readonly count: number;
  readonly first: { readonly scenario: string; readonly a?: number; readonly b?: number };
}

/** What changed from one report to another of the same role. */
export interface ReportDiff {
  readonly a: PastReport;
  readonly b: PastReport;
  readonly role: Role;
  /** Worst first. */
  readonly checks: readonly CheckChange[];
  readonly answers: readonly AnswerChange[];
  /** Whether a check that passed, or only warned, fails now or cannot be tested. */
  readonly worse: boolean;
}

/** Compares two reports of the same role. */
export function diffReports(a: PastReport, b: PastReport): ReportDiff {
  const checks = checkChanges(a, b);
  return {
    a,
    b,
    role: b.role,
    checks,
    answers: answerChanges(a, b),
    worse: checks.some(({ change }) => change === 'worse'),
  };
}

function checkChanges(a: PastReport, b: PastReport): readonly CheckChange[] {
  const [before, after] = [checksOf(a), checksOf(b)];
  const ids = [...new Set([...after.keys(), ...before.keys()])];
  const changes = ids.flatMap((id): readonly CheckChange[] => {
    const [old, now] = [before.get(id), after.get(id)];
    const change = changeOf(old, now);
    const { title = '' } = now ?? old ?? {};
    const why = now?.findings[0]?.seen ?? now?.reason;
    if (change === undefined) return [];
    return [
      {
        ...{ id, title, change },
        ...(old && { a: old.status }),
        ...(now && { b: now.status }),
        ...(why !== undefined && { why }),
      },
    ];
  });
  return CHANGES.flatMap((each) => changes.filter(({ change }) => change === each));
}

function checksOf({ scenarios }: PastReport): ReadonlyMap<string, PastCheck> {
  return new Map(scenarios.flatMap(({ checks }) => checks.map((check) => [check.id, check])));
}

/** The lower the better; what was not judged has no place. */
const RANK: Readonly<Record<Exclude<Status, 'skip'>, number>> = {
  pass: 0,
  warn: 1,
  untestable: 2,
  fail: 3,
};

function changeOf(old: PastCheck | undefined, now: PastCheck | undefined): Change | undefined {
  if (old === undefined) return 'new';
  if (now === undefined) return 'gone';
  const [before, after] = [standing(old), standing(now)];
  if (before === after || (old.status === 'skip' && now.status === 'skip')) return undefined;
  if (after === 'skip') return 'unjudged';
  if (before === 'skip') return 'judged';
  if (RANK[after] < RANK[before]) return 'better';
  return after === 'warn' ? 'weaker' : 'worse';
}

/** What is skipped because it rests on a failed check was not right either. */
function standing({ status, restsOn }: PastCheck): Status {
  return status === 'skip' && restsOn !== undefined ? 'untestable' : status;
}

function answerChanges(a: PastReport, b: PastReport): readonly AnswerChange[] {
  const before = new Map(a.scenarios.map((scenario) => [scenario.id, scenario]));
  const found = new Map<string, AnswerChange>();
  const runs = { role: b.role, targets: { a: a.target, b: b.target } };
  for (const now of b.scenarios) {
    const old = before.get(now.id);
    for (const step of old === undefined ? [] : stepsOf(old, now, runs.targets)) {
      for (const difference of differencesOf(step, runs)) {
        const key = JSON.stringify(difference);
        const known = found.get(key);
        found.set(key, {
          ...difference,
          count: (known?.count ?? 0) + 1,
          first: known?.first ?? {
            scenario: now.id,
            ...(step.a && { a: step.a.number }),
            ...(step.b && { b: step.b.number }),
          },
        });
      }
    }
  }
  return [...found.values()];
}

/** Where one of them was not run to its end, nothing is said of the steps that it lacks. */
function stepsOf(
  old: PastScenario,
  now: PastScenario,
  targets: { readonly a: string; readonly b: string },
) {
  const steps = align(
    { exchanges: old.exchanges, target: targets.a },
    { exchanges: now.exchanges, target: targets.b },
  );
  const isWhole = old.exchanges.length > 0 && now.exchanges.length > 0;
  return isWhole ? steps : steps.filter((step) => step.a && step.b);
}
