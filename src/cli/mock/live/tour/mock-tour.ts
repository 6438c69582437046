import { controlProblem } from '../../../../mock/controls/control-problem.ts';
import type { FetchHandler } from '../../../../mock/http/app.ts';
import { WireProblem } from '../../../../mock/http/problems.ts';
import type { LivePart, LiveService } from '../../../../mock/live/live-part.ts';
import type { LiveTour } from '../../../../mock/live/live-tour.ts';
import type { LiveTourStep } from '../../../../mock/live/model.ts';
import { SECOND } from '../../../../protocol/durations.ts';
import { displayText } from '../../../../protocol/text.ts';
import type { Fetch, Sleep } from '../../../../runtime/ports.ts';
import { silentLog } from '../../../../runtime/system.ts';
import type { Context } from '../../../shell/context.ts';
import { tourFlows } from './flows.ts';
import type { TourFlow, TourPlace, TourStep } from './tour-flow.ts';
import { GONE, TourPlayer } from './tour-player.ts';

/** A mock that the tour goes through, in this process. */
export interface Visited {
  readonly part: LivePart;
  readonly issuer: string;
  readonly handler: FetchHandler;
}

interface Played {
  readonly player: TourPlayer;
  /** So many of its steps were taken. */
  taken: number;
}

/** Between two polls, in milliseconds. */
const LONGEST_WAIT = SECOND / 2;
/** So many of these waits a step has. */
const MOST_WAITS = 3;

/** Plays the agent, and its user where that is asked for, against the mocks of this process. */
export class MockTour implements LiveTour {
  readonly #context: Context;
  readonly #visited: readonly Visited[];
  readonly #service: LiveService;
  readonly #place: Omit<TourPlace, 'isFlat'>;
  readonly #played = new Map<string, Played>();
  #isTaking = false;
  #naps = 0;
  #patience = new AbortController();

  private constructor(
    context: Context,
    visited: readonly Visited[],
    service: LiveService,
    place: Omit<TourPlace, 'isFlat'>,
  ) {
    this.#context = context;
    this.#visited = visited;
    this.#service = service;
    this.#place = place;
  }

  /** Undefined without a service: there is nothing to register at. */
  static through(context: Context, visited: readonly Visited[]): MockTour | undefined {
    const at = (role: LivePart['role']) => visited.find(({ part }) => part.role === role);
    const issuer = at('service')?.issuer;
    const service = at('service')?.part.service;
    if (service === undefined || issuer === undefined) return undefined;
    const place = {
      service: issuer,
      provider: at('provider')?.issuer,
      call: service.call,
      line: context.line,
    };
    return new MockTour(context, visited, service, place);
  }

  steps(dialect: string | null): readonly LiveTourStep[] {
    return tourFlows({ ...this.#place, isFlat: dialect === 'flat' }).flatMap(({ flow, steps }) => {
      const taken = this.#played.get(flow)?.taken ?? 0;
      return steps.map(({ curl, id, line, text, title }, index) => ({
        ...{ id, flow, title, text, curl, line },
        // The first one begins anew.
        is_ready: !this.#isTaking && (index === 0 || index === taken),
        is_done: index < taken,
      }));
    });
  }

  restart(): void {
    this.#played.clear();
    this.#patience.abort();
  }

  async take(id: string): Promise<string> {
    const flows = tourFlows({ ...this.#place, isFlat: true });
    const flow = flows.find(({ steps }) => steps.some((step) => step.id === id));
    const index = flow?.steps.findIndex((step) => step.id === id) ?? -1;
    const step = flow?.steps[index];
    if (flow === undefined || step === undefined) {
      throw controlProblem('not_found', 'The tour has no such step.');
    }
    if (this.#isTaking) throw controlProblem('conflict', 'Another step is under way.');
    this.#isTaking = true;
    try {
      const played = index === 0 ? await this.#begin(flow) : this.#played.get(flow.flow);
      if (played?.taken !== index) {
        throw controlProblem('conflict', 'Take the steps before this one first.');
      }
      const said = await this.#run(step, flow.flow, played.player);
      played.taken = index + 1;
      return said;
    } finally {
      this.#isTaking = false;
    }
  }

  async #run(step: TourStep, flow: TourFlow['flow'], player: TourPlayer): Promise<string> {
    this.#naps = 0;
    this.#patience = new AbortController();
    try {
      return await step.run(player, this.#patience.signal);
    } catch (error) {
      // Another process on the store can have reset it.
      if (player.registrationId !== '' && !(await player.isKnown())) {
        this.#played.delete(flow);
        throw controlProblem('conflict', GONE);
      }
      if (error instanceof WireProblem) throw error;
      const said = error instanceof Error ? displayText(error.message, 300) : 'It did not work.';
      throw controlProblem('conflict', said);
    }
  }

  async #begin({ flow }: TourFlow): Promise<Played> {
    const [{ Agent }, { createMemoryStore }, { ScriptedUser }] = await Promise.all([
      import('../../../../agent/agent.ts'),
      import('../../../../agent/credentials/memory-store.ts'),
      import('../../../../user/scripted-user.ts'),
    ]);
    const { clock, random } = this.#context.world;
    const agent = new Agent({
      fetch: this.#fetch,
      clock,
      sleep: this.#sleep,
      random,
      log: silentLog,
      name: 'Tour of the live view',
      store: createMemoryStore(),
    });
    const user = new ScriptedUser(this.#fetch);
    const played = { player: new TourPlayer(agent, user, this.#service), taken: 0 };
    this.#played.set(flow, played);
    return played;
  }

  /** In process: nothing leaves it, and each exchange is recorded as any other. */
  readonly #fetch: Fetch = async (url, init) => {
    const { origin } = new URL(url);
    const mock = this.#visited.find(({ issuer }) => issuer === origin);
    if (mock === undefined)
      throw new Error(`The tour goes to its own mocks alone, not to ${origin}.`);
    return mock.handler(new Request(url, init));
  };

  /** Whoever is polled for has acted, or the step is told so. */
  readonly #sleep: Sleep = (ms, signal) => {
    this.#naps += 1;
    if (this.#naps > MOST_WAITS) this.#patience.abort();
    return this.#context.world.sleep(Math.min(ms, LONGEST_WAIT), signal);
  };
}
