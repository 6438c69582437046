import type { Random } from '../../runtime/index.ts';
import type { Catalog } from '../engine/catalog.ts';
import { drawSeed, Invented } from '../engine/invented.ts';
import type { ScenarioResult } from '../engine/model.ts';
import { type Progress, runScenarios } from '../engine/runner.ts';
import { checkIds, type Scenario } from '../engine/scenario.ts';
import { type Selection, selects } from '../engine/selection.ts';
import { AgentWorld } from './agent-world.ts';
import type { Harness } from './harness.ts';
import { AGENT_SCENARIOS } from './scenarios/index.ts';

export interface JudgeAgentOptions {
  /** Opens the place where one scenario is played, with the agent on it. */
  readonly openStage: () => Promise<Harness>;
  readonly random: Random;
  readonly catalog: Catalog;
  readonly selection?: Selection;
  /** Of the names and values that the suite invents. Default: one that nobody has chosen. */
  readonly seed?: number;
  /** Milliseconds that one run of the agent may last. */
  readonly limit: number;
  /** How many scenarios are played at once. Default: 4. */
  readonly parallel?: number;
  readonly scenarios?: readonly Scenario<AgentWorld>[];
  readonly onProgress?: (progress: Progress) => void;
  /** Ends every run; then the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Judges an agent by what it does at servers that the suite plays. Results are in the scenarios' order. */
export async function judgeAgent(options: JudgeAgentOptions): Promise<readonly ScenarioResult[]> {
  const { selection = {}, onProgress, signal } = options;
  const seed = options.seed ?? drawSeed(options.random);
  const chosen = (options.scenarios ?? AGENT_SCENARIOS).filter((scenario) =>
    isChosen(scenario, options.catalog, selection),
  );
  const results: ScenarioResult[][] = chosen.map(() => []);
  const waiting = [...chosen.entries()];
  let done = 0;
  let failure: { readonly error: unknown } | undefined;
  const tell = (title?: string) =>
    onProgress?.({ done, total: chosen.length, ...(title !== undefined && { title }) });
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, scenario] = next;
      if (failure !== undefined) return;
      try {
        signal?.throwIfAborted();
        tell(scenario.title);
        results[index] = [...(await playOne(scenario, { ...options, seed }))];
        signal?.throwIfAborted();
      } catch (error) {
        // The others end their scenario, close their servers, and take no further one.
        failure ??= { error };
      }
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: options.parallel ?? 4 }, work));
  if (failure !== undefined) throw failure.error;
  tell();
  return results.flat();
}

async function playOne(
  scenario: Scenario<AgentWorld>,
  { openStage, catalog, selection, seed, limit, signal }: JudgeAgentOptions & { seed: number },
): Promise<readonly ScenarioResult[]> {
  const stage = await openStage();
  const onAbort = () => stage.stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  let close = () => stage.close();
  try {
    const results = await runScenarios({
      scenarios: [scenario],
      world: (recorder) => {
        const world = new AgentWorld(stage, recorder, {
          scenario: scenario.id,
          limit,
          invented: new Invented(seed, scenario.id),
        });
        close = () => world.close();
        return world;
      },
      catalog,
      clock: stage.clock,
      ...(selection && { selection }),
    });
    if (stage.failure !== undefined) throw stage.failure;
    return results;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await close();
  }
}

function isChosen(scenario: Scenario<AgentWorld>, catalog: Catalog, selection: Selection): boolean {
  return checkIds(scenario).some((id) =>
    selects(selection, { id, scenario: scenario.id, level: catalog.basis(id)?.level ?? 'must' }),
  );
}
