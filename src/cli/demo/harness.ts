import { Agent } from '../../agent/agent.ts';
import { createMemoryStore } from '../../agent/credentials/memory-store.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { State } from '../../protocol/states.ts';
import type { FakeClock } from '../../runtime/fake.ts';
import type { Fetch, Random, Sleep } from '../../runtime/ports.ts';
import { silentLog } from '../../runtime/system.ts';
import { type ExchangeLog, Explainer } from '../../traffic/index.ts';
import { ScriptedUser } from '../../user/scripted-user.ts';
import type { DemoTranscript } from './transcript.ts';

/** The state in which a flow left its registration, for the summary. */
export interface Ending {
  readonly title: string;
  readonly registrationId: string;
  readonly state: State;
}

interface DemoHarnessSetup {
  readonly service: string;
  readonly provider: string;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly transcript: DemoTranscript;
  /** Where both mocks record what they are asked. */
  readonly exchanges: ExchangeLog;
  readonly stateOf: (registrationId: string) => Promise<State | undefined>;
}

/** What the flows run on: the servers, a clock that jumps instead of waiting, and the transcript. */
export class DemoHarness {
  readonly service: string;
  readonly provider: string;
  readonly clock: FakeClock;
  readonly endings: Ending[] = [];
  readonly say: DemoTranscript['say'];
  readonly showCeremony: DemoTranscript['ceremony'];
  readonly #setup: DemoHarnessSetup;
  /** What happens during the waits between polls that are to come, one for each. */
  #steps: (() => Promise<void>)[] = [];
  #title = '';
  #registrationId: string | undefined;
  readonly #explainer = new Explainer();
  #exchanges = 0;
  /** The last exchange that was told of. */
  #told = 0;

  constructor(setup: DemoHarnessSetup) {
    this.#setup = setup;
    this.service = setup.service;
    this.provider = setup.provider;
    this.clock = setup.clock;
    this.say = setup.transcript.say;
    this.showCeremony = setup.transcript.ceremony;
    setup.transcript.start(setup.service, setup.provider);
  }

  get exchanges(): number {
    return this.#exchanges;
  }

  /** @returns a new agent with an empty credential store. */
  startFlow(title: string, subtitle: string): Agent {
    this.#title = title;
    this.#registrationId = undefined;
    this.#setup.transcript.flow(title, subtitle);
    return new Agent({
      fetch: this.fetch,
      clock: this.clock,
      sleep: this.#sleep,
      random: this.#setup.random,
      log: silentLog,
      store: createMemoryStore(),
    });
  }

  /** Notes the state of this flow's registration for the summary. */
  async endFlow(): Promise<void> {
    const id = this.#registrationId;
    const state = await this.#state();
    if (id !== undefined && state !== undefined) {
      this.endings.push({ title: this.#title, registrationId: id, state });
    }
  }

  newUser(): ScriptedUser {
    return new ScriptedUser(this.fetch);
  }

  /** What happens while the agent waits: one step for each wait between two polls. */
  betweenPolls(...steps: readonly (() => Promise<void>)[]): void {
    this.#steps = [...steps];
  }

  /** Tells of what was said meanwhile before its caller sees the answer. */
  readonly fetch: Fetch = async (url, init) => {
    const response = await this.#setup.fetch(url, init);
    await this.#report();
    return response;
  };

  readonly #sleep: Sleep = async (ms, signal) => {
    signal?.throwIfAborted();
    this.clock.advance(ms);
    await this.#steps.shift()?.();
  };

  async #state(): Promise<State | undefined> {
    const id = this.#registrationId;
    return id === undefined ? undefined : this.#setup.stateOf(id);
  }

  async #report(): Promise<void> {
    const { exchanges, latest } = this.#setup.exchanges.read({ since: this.#told });
    this.#told = latest;
    for (const [at, exchange] of exchanges.entries()) {
      this.#exchanges += 1;
      const explained = this.#explainer.explain(exchange);
      if (explained.step === 'register') {
        const id = registrationIn(exchange.response.body);
        if (id !== undefined) this.#registrationId = id;
      }
      const registrationId = this.#registrationId;
      const state = await this.#state();
      // The last one is what was asked for here; those before it, a server asked for meanwhile.
      const isOfServer = at < exchanges.length - 1 && explained.from === 'agent';
      const from = isOfServer ? 'service' : explained.from;
      this.#setup.transcript.exchange({ ...explained, from, registrationId, state });
    }
  }
}

function registrationIn(body: unknown): string | undefined {
  const id = isJsonObject(body) ? body['registration_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
