import { randomBytes } from 'node:crypto';
import type { Clock } from '../../runtime/index.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { Recorder } from '../http/recorder.ts';
import { Redactor } from '../http/redact.ts';
import type { Catalog, CheckBasis } from './catalog.ts';
import { CannotTest, Judge, NotApplicable, type Verdict } from './judge.ts';
import type { CheckResult, ScenarioResult, Status } from './model.ts';
import type { Scenario } from './scenario.ts';
import { type Selection, selects } from './selection.ts';

interface RunOptions<World> {
  readonly scenarios: readonly Scenario<World>[];
  /** Makes what one scenario works with. Its exchanges go to the recorder. */
  readonly world: (recorder: Recorder, scenario: Scenario<World>) => World | Promise<World>;
  readonly catalog: Catalog;
  readonly selection?: Selection;
  readonly clock: Clock;
  /** Called before each scenario, and after the last one. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called after each scenario, judged or not: resets what it changed. */
  readonly after?: () => Promise<void>;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Of the scenario that starts; undefined at the end. */
  readonly title?: string;
}

/** Runs the selected scenarios one after another. Never rejects because of what the peer does. */
export async function runScenarios<World>(
  options: RunOptions<World>,
): Promise<readonly ScenarioResult[]> {
  const { scenarios, catalog, selection = {} } = options;
  const chosen = scenarios.filter((scenario) =>
    Object.keys(scenario.checks).some((name) => isSelected(scenario, name, catalog, selection)),
  );
  const results: ScenarioResult[] = [];
  // One key for the run, so that a secret has the same mark in each scenario.
  const key = randomBytes(32);
  for (const [done, scenario] of chosen.entries()) {
    options.onProgress?.({ done, total: chosen.length, title: scenario.title });
    results.push(await runOne(scenario, options, key));
  }
  options.onProgress?.({ done: chosen.length, total: chosen.length });
  return results;
}

async function runOne<World>(
  scenario: Scenario<World>,
  { world, catalog, selection = {}, clock, after }: RunOptions<World>,
  key: Uint8Array,
): Promise<ScenarioResult> {
  const began = clock.now();
  const recorder = new Recorder(clock, new Redactor(key));
  const judge = new Judge(scenario.checks, recorder.redactor);
  let left: { readonly status: 'skip' | 'untestable'; readonly reason: string } = {
    status: 'untestable',
    reason: 'The scenario ended before this check.',
  };
  if (selection.safe === true && !scenario.safe) {
    left = { status: 'skip', reason: 'It creates something, and --safe was given.' };
  } else {
    try {
      await scenario.run(judge, await world(recorder, scenario));
    } catch (error) {
      left = reasonOf(error);
    }
    await after?.();
  }
  const checks = Object.entries(scenario.checks)
    .filter(([name]) => isSelected(scenario, name, catalog, selection))
    .map(([name, title]) =>
      conclude(
        `${scenario.id}.${name}`,
        title,
        judge.verdicts().get(name) ?? { passed: 0, failures: [], warnings: [], unjudged: left },
        basisOf(catalog, `${scenario.id}.${name}`),
      ),
    );
  return {
    id: scenario.id,
    title: scenario.title,
    duration: clock.now() - began,
    checks,
    exchanges: recorder.exchanges(),
  };
}

function reasonOf(error: unknown): { status: 'skip' | 'untestable'; reason: string } {
  if (error instanceof NotApplicable) return { status: 'skip', reason: error.message };
  if (error instanceof CannotTest || error instanceof NoAnswer) {
    return { status: 'untestable', reason: error.message };
  }
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = /([^/\\(\s]+:\d+:\d+)\)?$/m.exec(stack)?.[1] ?? 'unknown place';
  return {
    status: 'untestable',
    reason: `A defect of this suite stopped it (${name} at ${place}: ${message}).`,
  };
}

const MAX_FINDINGS = 8;

function conclude(id: string, title: string, verdict: Verdict, basis: CheckBasis): CheckResult {
  const { failures, warnings, unjudged } = verdict;
  const findings = [...failures, ...warnings];
  return {
    id,
    title,
    level: basis.level,
    status: statusOf(verdict, basis),
    requirements: basis.requirements,
    sources: basis.sources,
    findings: findings.slice(0, MAX_FINDINGS),
    moreFindings: Math.max(0, findings.length - MAX_FINDINGS),
    ...(unjudged && findings.length === 0 ? { reason: unjudged.reason } : {}),
  };
}

/** A broken must fails; anything weaker, and what another reading of the standards allows, only warns. */
function statusOf({ failures, warnings, passed, unjudged }: Verdict, basis: CheckBasis): Status {
  if (failures.length > 0) return basis.level === 'must' ? 'fail' : 'warn';
  if (warnings.length > 0) return 'warn';
  return passed > 0 ? 'pass' : (unjudged?.status ?? 'untestable');
}

function isSelected<World>(
  scenario: Scenario<World>,
  name: string,
  catalog: Catalog,
  selection: Selection,
): boolean {
  const id = `${scenario.id}.${name}`;
  return selects(selection, { id, scenario: scenario.id, level: basisOf(catalog, id).level });
}

/** A check without a requirement is a defect of this suite, which a test finds; it counts as a must. */
function basisOf(catalog: Catalog, check: string): CheckBasis {
  return catalog.basis(check) ?? { level: 'must', requirements: [], sources: [] };
}
