import { randomBytes } from 'node:crypto';
import { type Clock, startDeadline } from '../../runtime/index.ts';
import { NoAnswer } from '../http/no-answer.ts';
import { Recorder } from '../http/recorder.ts';
import { Redactor } from '../http/redact.ts';
import type { Catalog, CheckBasis } from './catalog.ts';
import { conclude } from './conclude.ts';
import { runConfirmed } from './confirm.ts';
import { CannotTest, Judge, NeedsOption, NotApplicable, type Unjudged } from './judge.ts';
import type { ScenarioResult } from './model.ts';
import type { Scenario } from './scenario.ts';
import { type Selection, selects } from './selection.ts';
import { settle } from './settle.ts';

export interface RunOptions<World> {
  readonly scenarios: readonly Scenario<World>[];
  /** Makes what one run of a scenario works with. Its exchanges go to the recorder. */
  readonly world: (recorder: Recorder, scenario: Scenario<World>) => World | Promise<World>;
  readonly catalog: Catalog;
  readonly selection?: Selection;
  readonly clock: Clock;
  /** Milliseconds that one scenario may take. Default: five minutes. */
  readonly limit?: number;
  /** Runs a scenario that failed once more before its red lines are kept. Default: yes. */
  readonly repeat?: boolean;
  /** Ends the run: the scenario that runs is left, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each scenario, and after the last one. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called with each result as soon as it is there, also with what an interrupted scenario has judged. */
  readonly onResult?: (result: ScenarioResult) => void;
  /** Called after each scenario, judged or not: resets what it changed. */
  readonly after?: () => Promise<void>;
  /** Whether the target still listens; asked where a request was not answered. */
  readonly isAlive?: () => Promise<boolean>;
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
  const { scenarios, catalog, selection = {}, signal, repeat = true, onResult } = options;
  const chosen = scenarios.filter((scenario) =>
    Object.keys(scenario.checks).some((name) => isSelected(scenario, name, catalog, selection)),
  );
  const results: ScenarioResult[] = [];
  // One key for the run, so that a secret has the same mark in each scenario.
  const key = randomBytes(32);
  // What an interrupted repetition has judged is less than what it repeats.
  const { onResult: _onResult, ...unreported } = options;
  let died: string | undefined;
  for (const [done, scenario] of chosen.entries()) {
    signal?.throwIfAborted();
    options.onProgress?.({ done, total: chosen.length, title: scenario.title });
    const run = (each: RunOptions<World>) => runOne(scenario, each, key, died);
    const result = repeat
      ? await runConfirmed(
          scenario,
          () => run(options),
          () => run(unreported),
          onResult,
        )
      : await run(options);
    died ??= result.died;
    results.push(result);
    onResult?.(result);
  }
  signal?.throwIfAborted();
  options.onProgress?.({ done: chosen.length, total: chosen.length });
  return settle(results, scenarios);
}

async function runOne<World>(
  scenario: Scenario<World>,
  options: RunOptions<World>,
  key: Uint8Array,
  died: string | undefined,
): Promise<ScenarioResult> {
  const { clock, signal, after, selection = {} } = options;
  const began = clock.now();
  const recorder = new Recorder(clock, new Redactor(key));
  const judge = new Judge(scenario.checks, recorder.redactor);
  const deselected = selection.safe === true && !scenario.safe;
  const open: Left = deselected
    ? { status: 'skip', reason: 'It creates something, and --safe was given.' }
    : died === undefined
      ? await play(scenario, options, judge, recorder)
      : { status: 'untestable', reason: died };
  const death = open.mayHaveDied === true ? await deathOf(recorder, options) : undefined;
  const result: ScenarioResult = {
    id: scenario.id,
    title: scenario.title,
    duration: clock.now() - began,
    checks: concludeAll(scenario, options, judge, open).map((check) =>
      deselected ? { ...check, deselected } : check,
    ),
    exchanges: recorder.exchanges(),
    ...(death !== undefined && { died: death }),
  };
  if (signal?.aborted === true) options.onResult?.(result);
  signal?.throwIfAborted();
  if (!deselected) await after?.();
  return result;
}

/** Why the checks that were not judged were not. */
interface Left extends Unjudged {
  readonly mayHaveDied?: true;
}

/** A scenario that ends early does so because of what it found last: the rest rests on that. */
function endedAt({ id }: { readonly id: string }, { lastWrong }: Judge, recorder: Recorder): Left {
  if (lastWrong === undefined) {
    const reason = `No further step followed its last request: ${lastRequest(recorder)}.`;
    return { status: 'untestable', reason };
  }
  const restsOn = `${id}.${lastWrong}`;
  return {
    status: 'skip',
    reason: `It rests on ${restsOn}, after which nothing more could be tried.`,
    restsOn,
  };
}

const INTERRUPTED: Left = { status: 'skip', reason: 'The run was interrupted.' };
const LIMIT = 5 * 60_000;

/** Runs a scenario to its end, or to that of its time, or of the run. */
async function play<World>(
  scenario: Scenario<World>,
  { world, signal, limit = LIMIT }: RunOptions<World>,
  judge: Judge,
  recorder: Recorder,
): Promise<Left> {
  const deadline = startDeadline(limit, signal);
  const story = async () => {
    await scenario.run(judge, await world(recorder, scenario));
    return endedAt(scenario, judge, recorder);
  };
  const tooLong = (): Left => ({
    status: 'untestable',
    reason: `It did not end within ${limit / 1000} seconds; its last request: ${lastRequest(recorder)}.`,
  });
  const over = () => (signal?.aborted === true ? INTERRUPTED : tooLong());
  try {
    return await Promise.race([story(), untilAborted(deadline.signal).then(over)]);
  } catch (error) {
    return deadline.signal.aborted ? over() : leftBy(error);
  } finally {
    deadline.end();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function leftBy(error: unknown): Left {
  if (error instanceof NeedsOption) {
    return { status: 'skip', reason: error.message, needs: error.option };
  }
  if (error instanceof NotApplicable) return { status: 'skip', reason: error.message };
  if (error instanceof NoAnswer) {
    return { status: 'untestable', reason: error.message, mayHaveDied: true };
  }
  if (error instanceof CannotTest) return { status: 'untestable', reason: error.message };
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = /([^/\\(\s]+:\d+:\d+)\)?$/m.exec(stack)?.[1] ?? 'unknown place';
  return {
    status: 'untestable',
    reason: `A defect of this suite stopped it (${name} at ${place}: ${message}).`,
  };
}

/** A sentence, where the target does not listen any more. */
async function deathOf<World>(
  recorder: Recorder,
  { isAlive }: RunOptions<World>,
): Promise<string | undefined> {
  if (isAlive === undefined || (await isAlive())) return undefined;
  return `The target stopped answering after ${lastRequest(recorder)}.`;
}

function lastRequest(recorder: Recorder): string {
  const last = recorder.exchanges().at(-1);
  if (last === undefined) return 'none';
  const { request, response } = last;
  const answered = response === undefined ? '' : `, answered ${response.status}`;
  return `${request.method} ${request.url}${answered}`;
}

function concludeAll<World>(
  scenario: Scenario<World>,
  { catalog, selection = {} }: RunOptions<World>,
  judge: Judge,
  unjudged: Unjudged,
) {
  return Object.entries(scenario.checks)
    .filter(([name]) => isSelected(scenario, name, catalog, selection))
    .map(([name, title]) => {
      const id = `${scenario.id}.${name}`;
      const verdict = judge.verdicts().get(name);
      return conclude(
        id,
        title,
        verdict ?? { passed: 0, failures: [], warnings: [], unjudged },
        basisOf(catalog, id),
      );
    });
}

function isSelected<World>(
  scenario: Scenario<World>,
  name: string,
  catalog: Catalog,
  selection: Selection,
): boolean {
  const id = `${scenario.id}.${name}`;
  const { level, section } = basisOf(catalog, id);
  return selects(selection, { id, scenario: scenario.id, level, section });
}

/** A check without a requirement is a defect of this suite, which a test finds; it counts as a must. */
function basisOf(catalog: Catalog, check: string): CheckBasis {
  return (
    catalog.basis(check) ?? { level: 'must', section: 'standards', requirements: [], sources: [] }
  );
}
