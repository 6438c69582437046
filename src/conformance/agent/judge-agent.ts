import type { Random } from '../../runtime/index.ts';
import type { Catalog } from '../engine/catalog.ts';
import { runConfirmed } from '../engine/confirm.ts';
import { drawSeed, Invented } from '../engine/invented.ts';
import type { ScenarioResult } from '../engine/model.ts';
import { type RunOptions, runScenarios } from '../engine/runner.ts';
import { checkIds, type Scenario } from '../engine/scenario.ts';
import { type Selection, selects } from '../engine/selection.ts';
import { settle } from '../engine/settle.ts';
import { Recorder } from '../http/recorder.ts';
import { AgentWorld } from './agent-world.ts';
import { Controls } from './controls.ts';
import type { Harness } from './harness.ts';
import { AGENT_SCENARIOS } from './scenarios/index.ts';

export interface JudgeAgentOptions
  extends Pick<
    RunOptions<AgentWorld>,
    'catalog' | 'onProgress' | 'onResult' | 'repeat' | 'selection'
  > {
  /** Opens a harness for one scenario. */
  readonly openHarness: () => Promise<Harness>;
  readonly random: Random;
  /** Of the suite's random names and values. Default: a random one. */
  readonly seed?: number;
  /** Milliseconds that one run of the agent may last. */
  readonly limit: number;
  /** How many scenarios run at once. Default: 4. */
  readonly parallel?: number;
  readonly scenarios?: readonly Scenario<AgentWorld>[];
  /** Ends every run; then the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Judges an agent by its requests to servers that the suite runs. Results are in the scenarios' order. */
export async function judgeAgent(options: JudgeAgentOptions): Promise<readonly ScenarioResult[]> {
  const { selection = {}, onProgress, onResult, repeat = true, signal } = options;
  // What an interrupted repetition has judged is less than what it repeats.
  const { onResult: _onResult, ...unreported } = options;
  const seed = options.seed ?? drawSeed(options.random);
  const chosen = (options.scenarios ?? AGENT_SCENARIOS).filter((scenario) =>
    isChosen(scenario, options.catalog, selection),
  );
  const results: (ScenarioResult | undefined)[] = chosen.map(() => undefined);
  const waiting = [...chosen.entries()];
  let done = 0;
  let failure: { readonly error: unknown } | undefined;
  const report = (title?: string) =>
    onProgress?.({ done, total: chosen.length, ...(title !== undefined && { title }) });
  const controls: Controls = new Controls((use) =>
    inFreshWorld({ ...options, seed, controls }, use, (error) => {
      failure ??= { error };
    }),
  );
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, scenario] = next;
      if (failure !== undefined) return;
      try {
        signal?.throwIfAborted();
        report(scenario.title);
        const once = () => runOne(scenario, { ...options, seed, controls });
        const again = () => runOne(scenario, { ...unreported, seed, controls });
        const result = repeat ? await runConfirmed(scenario, once, again, onResult) : await once();
        if (failure !== undefined) return;
        results[index] = result;
        onResult?.(result);
      } catch (error) {
        // The other workers finish their scenario, close its servers and stop.
        failure ??= { error };
      }
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: options.parallel ?? 4 }, work));
  if (failure !== undefined) throw failure.error;
  report();
  return settle(
    results.filter((result) => result !== undefined),
    chosen,
  );
}

/** For what is no scenario: its exchanges are in no report. */
async function inFreshWorld<T>(
  { openHarness, seed, controls, limit, signal: run }: OneRun,
  use: (world: AgentWorld) => Promise<T>,
  onFailure: (error: Error) => void,
): Promise<T> {
  const signal = follow(run);
  const harness = await openHarness();
  const onAbort = () => harness.stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  const scenario = 'agent-control';
  const world = new AgentWorld(harness, new Recorder(harness.clock), {
    scenario,
    limit,
    controls,
    invented: new Invented(seed, scenario),
  });
  try {
    signal?.throwIfAborted();
    return await use(world);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (harness.failure !== undefined) onFailure(harness.failure);
    await world.close();
  }
}

interface OneRun extends JudgeAgentOptions {
  readonly seed: number;
  readonly controls: Controls;
}

async function runOne(
  scenario: Scenario<AgentWorld>,
  { openHarness, catalog, selection, seed, controls, limit, signal: run, onResult }: OneRun,
): Promise<ScenarioResult> {
  const signal = follow(run);
  const harness = await openHarness();
  const onAbort = () => harness.stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  let close = () => harness.close();
  try {
    const [result] = await runScenarios({
      // What rests on what is settled once all have ended.
      scenarios: [{ ...scenario, restsOn: {}, blockedBy: [] }],
      repeat: false,
      signal,
      // What an interrupted scenario has judged; the others are confirmed first.
      onResult: (result) => {
        if (signal?.aborted === true) onResult?.(result);
      },
      world: (recorder) => {
        const world = new AgentWorld(harness, recorder, {
          scenario: scenario.id,
          limit,
          controls,
          invented: new Invented(seed, scenario.id),
        });
        close = () => world.close();
        return world;
      },
      catalog,
      clock: harness.clock,
      ...(selection && { selection }),
    });
    if (harness.failure !== undefined) throw harness.failure;
    // It was chosen, so it has a result.
    if (result === undefined) throw new Error(`${scenario.id} was not run.`);
    return result;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await close();
  }
}

function isChosen(scenario: Scenario<AgentWorld>, catalog: Catalog, selection: Selection): boolean {
  return checkIds(scenario).some((id) => {
    const { level = 'must', section = 'standards' } = catalog.basis(id) ?? {};
    return selects(selection, { id, scenario: scenario.id, level, section });
  });
}

/** One of its own for each scenario: as many as run at once may listen. */
function follow(signal: AbortSignal | undefined): AbortSignal | undefined {
  return signal && AbortSignal.any([signal]);
}
