import type { Random } from '../../runtime/index.ts';
import { runConfirmed } from '../engine/confirm.ts';
import { drawSeed, Invented } from '../engine/invented.ts';
import { Lane, runInLane } from '../engine/lane.ts';
import type { ScenarioResult } from '../engine/model.ts';
import { type Progress, type RunOptions, runScenarios } from '../engine/runner.ts';
import type { Scenario } from '../engine/scenario.ts';
import { isChosen } from '../engine/selection.ts';
import { settle } from '../engine/settle.ts';

import { Recorder } from '../http/recorder.ts';
import { AgentWorld } from './agent-world.ts';
import { Controls } from './controls.ts';
import type { Harness } from './harness.ts';
import { ScenarioWorlds, type WorldsOptions } from './scenario-worlds.ts';
import { AGENT_SCENARIOS } from './scenarios/index.ts';

/** What {@link judgeAgent} needs. Durations are milliseconds. */
export interface JudgeAgentOptions
  extends Pick<
    RunOptions<AgentWorld>,
    'catalog' | 'onProgress' | 'onResult' | 'repeat' | 'selection'
  > {
  /** Opens a harness for one scenario. */
  readonly openHarness: () => Promise<Harness>;
  readonly random: Random;
  /** The seed of the suite's random names and values. Default: a random one. */
  readonly seed?: number;
  /** Milliseconds that one run of the agent may last. */
  readonly limit: number;
  /** How many runs of the agent there may be at once. */
  readonly parallel: number;
  readonly scenarios?: readonly Scenario<AgentWorld>[];
  /** Ends every run; then the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a run waits for at its beginning, whichever scenario it is of. */
const FIRST_REQUEST = 'The command reads AGENT_AUTH_CONTEXT and sends its first request';

/** Judges an agent by its requests to servers that the suite runs. Results are in the scenarios' order. */
export async function judgeAgent(options: JudgeAgentOptions): Promise<readonly ScenarioResult[]> {
  const { catalog, selection = {}, onProgress, onResult, repeat = true, signal } = options;
  const seed = options.seed ?? drawSeed(options.random);
  const chosen = (options.scenarios ?? AGENT_SCENARIOS).filter((scenario) =>
    isChosen(scenario, catalog, selection),
  );
  const lane = new Lane(signal, options.parallel);
  let broken: Error | undefined;
  const controls = new Controls((its, use) =>
    inControlWorld({ ...options, seed, controls: its, lane }, use, (error) => {
      broken ??= error;
    }),
  );
  let latest: Progress | undefined;
  const show = (progress: Progress) => {
    latest = progress;
    const isEarly = progress.title !== undefined && !controls.isHeard;
    onProgress?.(isEarly ? { ...progress, title: FIRST_REQUEST } : progress);
  };
  void controls.heard.then(() => latest && show(latest));
  const one: OneRun = { ...options, seed, controls, lane };
  const results = await runInLane({
    lane,
    items: chosen,
    placeOf: ({ waits }) => (waits === true ? 'soon' : 'between'),
    signal,
    // Which of them wait, the suite cannot see: those are runs of the agent like the others.
    onProgress: (of, { done, total }) => show({ done, total, ...(of && { title: of.title }) }),
    onResult,
    run: async (scenario, left) => {
      const once = () => runOne(scenario, { ...one, onResult: left });
      // What an interrupted repetition has judged is less than what it repeats.
      const again = () => runOne(scenario, { ...one, onResult: undefined });
      const result = repeat ? await runConfirmed(scenario, once, again, left) : await once();
      if (broken !== undefined) throw broken;
      return result;
    },
  });
  return settle(results, chosen);
}

interface OneRun
  extends WorldsOptions,
    Pick<JudgeAgentOptions, 'catalog' | 'selection' | 'signal'> {
  /** Called with what an interrupted scenario has judged. */
  readonly onResult?: ((result: ScenarioResult) => void) | undefined;
}

/** Runs what is no scenario: its exchanges are in no report. */
async function inControlWorld<T>(
  one: OneRun,
  use: (world: AgentWorld) => Promise<T>,
  onFailure: (error: Error) => void,
): Promise<T> {
  const harness = await one.openHarness();
  const forgetSignal = stopWith(one.signal, harness);
  const scenario = 'agent-control';
  const world = new AgentWorld(harness, new Recorder(harness.clock), {
    ...one,
    scenario,
    invented: new Invented(one.seed, scenario),
  });
  try {
    one.signal?.throwIfAborted();
    return await use(world);
  } finally {
    forgetSignal();
    if (harness.failure !== undefined) onFailure(harness.failure);
    await world.close();
  }
}

async function runOne(scenario: Scenario<AgentWorld>, one: OneRun): Promise<ScenarioResult> {
  const { catalog, selection, onResult } = one;
  const signal = one.signal && AbortSignal.any([one.signal]);
  const worlds = await ScenarioWorlds.open(scenario.id, one);
  const forgetSignal = stopWith(one.signal, worlds);
  try {
    const [result] = await runScenarios({
      // What rests on what is settled once all have ended.
      scenarios: [{ ...scenario, resting: {}, blockedBy: [] }],
      repeat: false,
      signal,
      // What an interrupted scenario has judged; the others are confirmed first.
      onResult: (result) => {
        if (signal?.aborted === true) onResult?.(result);
      },
      world: (recorder) => worlds.own(recorder),
      catalog,
      clock: worlds.clock,
      ...(selection && { selection }),
    });
    if (worlds.failure !== undefined) throw worlds.failure;
    // It was chosen, so it has a result.
    if (result === undefined) throw new Error(`${scenario.id} was not run.`);
    return result;
  } finally {
    forgetSignal();
    await worlds.close();
  }
}

/** Ends every run once the signal is aborted, and lets no other begin. Returns what ends that. */
function stopWith(signal: AbortSignal | undefined, runs: { stop(): void }): () => void {
  // One of its own for each: as many as run at once may listen.
  const followed = signal && AbortSignal.any([signal]);
  const stop = () => runs.stop();
  if (followed?.aborted === true) stop();
  followed?.addEventListener('abort', stop, { once: true });
  return () => followed?.removeEventListener('abort', stop);
}
