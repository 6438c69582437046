import type { CoreFlow } from './core.ts';
import { nothingJudged, unjudgedFlows } from './core.ts';
import type { CheckResult, ScenarioResult, Verdict } from './model.ts';

interface Run {
  readonly scenarios: readonly ScenarioResult[];
  readonly core: readonly CoreFlow[];
  readonly selectedOnly: boolean;
  readonly interrupted: boolean;
}

/** The verdict of a run. What the baseline lists is marked already. */
export function verdictOf({ scenarios, core, selectedOnly, interrupted }: Run): Verdict {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const died = deathsOf(scenarios);
  const failing = checks.filter(isRed);
  const known = failing.filter((check) => check.known !== undefined).length;
  const flows = unjudgedFlows(core, checks);
  const unjudged = [
    ...(flows.length > 0 ? flows : nothingJudged(checks)),
    ...(interrupted ? [{ story: 'the rest of the run', why: 'It was interrupted.' }] : []),
  ];
  const outcome =
    failing.length > known || died !== undefined
      ? 'does_not_conform'
      : unjudged.length > 0
        ? 'inconclusive'
        : known > 0
          ? 'conforms_but'
          : 'conforms';
  return {
    outcome,
    known,
    fixed: checks.filter(isFixed).map(({ id }) => id),
    unjudged,
    selectedOnly,
    interrupted,
    ...(died !== undefined && { died }),
  };
}

/** Whether a check makes its run fail. */
export function isRed({ status }: Pick<CheckResult, 'status'>): boolean {
  return status === 'fail';
}

/** The first deaths, and how many more there were. */
function deathsOf(scenarios: readonly ScenarioResult[]): string | undefined {
  const all = [...new Set(scenarios.flatMap(({ died }) => died ?? []))];
  const more = all.length - DEATHS_TOLD;
  if (all.length === 0) return undefined;
  return [
    ...all.slice(0, DEATHS_TOLD),
    ...(more > 0 ? [`That happened ${more} more ${more === 1 ? 'time' : 'times'}.`] : []),
  ].join(' ');
}

const DEATHS_TOLD = 2;

function isFixed({ known, status }: CheckResult): boolean {
  return known !== undefined && (status === 'pass' || status === 'warn');
}
