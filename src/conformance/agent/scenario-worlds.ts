import type { Clock } from '../../runtime/index.ts';
import { Invented } from '../engine/invented.ts';
import type { Lane } from '../engine/lane.ts';
import type { Recorder } from '../http/recorder.ts';
import { AgentWorld, type Beside } from './agent-world.ts';
import type { ControlRuns } from './control-runs.ts';
import type { Harness } from './harness.ts';

export interface WorldsOptions {
  readonly openHarness: () => Promise<Harness>;
  /** The lane in which the scenario has a place. */
  readonly lane: Lane;
  readonly controls: ControlRuns;
  /** Milliseconds that one run of the agent may last. */
  readonly limit: number;
  readonly seed: number;
}

/** The worlds of a scenario: its own, and one for each case that has nothing to do with the others. */
export class ScenarioWorlds {
  readonly #scenario: string;
  readonly #options: WorldsOptions;
  readonly #own: Harness;
  readonly #harnesses: Harness[];
  readonly #cases: Promise<void>[] = [];
  #close: () => Promise<void>;
  #stopped = false;

  private constructor(scenario: string, options: WorldsOptions, own: Harness) {
    this.#scenario = scenario;
    this.#options = options;
    this.#own = own;
    this.#harnesses = [own];
    this.#close = () => own.close();
  }

  static async open(scenario: string, options: WorldsOptions): Promise<ScenarioWorlds> {
    return new ScenarioWorlds(scenario, options, await options.openHarness());
  }

  get clock(): Clock {
    return this.#own.clock;
  }

  /** Why the agent cannot be run at all. */
  get failure(): Error | undefined {
    return this.#harnesses.find(({ failure }) => failure !== undefined)?.failure;
  }

  /** The scenario's own. The exchanges of all go to the recorder. */
  own(recorder: Recorder): AgentWorld {
    const world = this.#world(this.#own, recorder, this.#scenario, (cases) =>
      this.#beside(recorder, cases),
    );
    this.#close = () => world.close();
    return world;
  }

  /** Ends every run, and lets no other begin. */
  stop(): void {
    this.#stopped = true;
    for (const harness of this.#harnesses) harness.stop();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled(this.#cases);
    await this.#close();
  }

  /** The scenario gives its place up meanwhile, and has one again. */
  async #beside(recorder: Recorder, cases: Parameters<Beside>[0]): Promise<void> {
    const { lane } = this.#options;
    const places = cases.map(() => lane.comeBack());
    lane.leave();
    const all = cases.map(async (one, index) => {
      await places[index];
      try {
        await this.#inCase(recorder, index, one);
      } finally {
        lane.leave();
      }
    });
    this.#cases.push(...all);
    const ended = await Promise.allSettled(all);
    await lane.comeBack();
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #inCase(
    recorder: Recorder,
    index: number,
    one: (world: AgentWorld) => Promise<void>,
  ): Promise<void> {
    const harness = await this.#options.openHarness();
    this.#harnesses.push(harness);
    if (this.#stopped) harness.stop();
    // Whatever order they run in, each draws the same names in each run with a seed.
    const world = this.#world(harness, recorder, `${this.#scenario} ${index}`);
    try {
      await one(world);
    } finally {
      await world.close();
    }
  }

  #world(harness: Harness, recorder: Recorder, drawn: string, beside?: Beside): AgentWorld {
    const { controls, limit, seed } = this.#options;
    const invented = new Invented(seed, drawn);
    const scenario = this.#scenario;
    return new AgentWorld(harness, recorder, { scenario, controls, limit, invented, beside });
  }
}
