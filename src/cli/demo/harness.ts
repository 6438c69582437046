import { Agent } from '../../agent/agent.ts';
import { createMemoryStore } from '../../agent/credentials/memory-store.ts';
import type { TypeThereCeremony } from '../../agent/model.ts';
import type { State } from '../../mock-service/claim-machine/state.ts';
import type { FakeClock } from '../../runtime/fake.ts';
import type { Fetch, Random, Sleep } from '../../runtime/ports.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Actor, Exchange } from './exchanges/exchange.ts';
import { meaningOf } from './exchanges/meaning.ts';
import { type RawExchange, recordFetch } from './exchanges/record-fetch.ts';
import { showMembers, showPath, showText } from './exchanges/show-members.ts';
import { showWire } from './exchanges/show-wire.ts';
import { ScriptedUser } from './user/scripted-user.ts';

/** What the demo prints, in order. */
export interface DemoTranscript {
  start(service: string, provider: string): void;
  flow(title: string, subtitle: string): void;
  /** A sentence between two exchanges. */
  say(text: string): void;
  /** The code and the page, as the claim screen shows them. */
  ceremony(ceremony: TypeThereCeremony): void;
  exchange(exchange: Exchange): void;
}

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
  readonly stateOf: (registrationId: string) => Promise<State | undefined>;
}

/** What the flows run on: the servers, a clock that jumps instead of waiting, and the transcript. */
export class DemoHarness {
  readonly service: string;
  readonly provider: string;
  readonly clock: FakeClock;
  readonly endings: Ending[] = [];
  readonly #setup: DemoHarnessSetup;
  /** One for each wait between two polls that is to come. */
  #steps: (() => Promise<void>)[] = [];
  #title = '';
  #registrationId: string | undefined;
  #exchanges = 0;

  constructor(setup: DemoHarnessSetup) {
    this.#setup = setup;
    this.service = setup.service;
    this.provider = setup.provider;
    this.clock = setup.clock;
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
      fetch: this.fetchFor('agent'),
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
    return new ScriptedUser(this.fetchFor('user'));
  }

  say(text: string): void {
    this.#setup.transcript.say(text);
  }

  showCeremony(ceremony: TypeThereCeremony): void {
    this.#setup.transcript.ceremony(ceremony);
  }

  /** What happens while the agent waits: one step for each wait between two polls. */
  betweenPolls(...steps: readonly (() => Promise<void>)[]): void {
    this.#steps = [...steps];
  }

  fetchFor(actor: Actor): Fetch {
    return recordFetch(this.#setup.fetch, actor, (exchange) => this.#report(exchange));
  }

  readonly #sleep: Sleep = async (ms, signal) => {
    signal?.throwIfAborted();
    this.clock.advance(ms);
    await this.#steps.shift()?.();
  };

  async #state(): Promise<State | undefined> {
    const id = this.#registrationId;
    return id === undefined ? undefined : this.#setup.stateOf(id);
  }

  async #report(raw: RawExchange): Promise<void> {
    this.#exchanges += 1;
    const receiver = raw.url.origin === this.provider ? 'provider' : 'service';
    const id = raw.response['registration_id'];
    if (receiver === 'service' && typeof id === 'string') this.#registrationId = id;
    this.#setup.transcript.exchange({
      actor: raw.actor,
      receiver,
      method: raw.method,
      url: showText(raw.url.href),
      path: showPath(raw.url),
      status: raw.status,
      request: showWire(raw.sent),
      response: showWire(raw.answered),
      sent: showMembers(raw.request),
      received: showMembers(raw.response),
      meaning: meaningOf(receiver, raw),
      registrationId: this.#registrationId,
      state: await this.#state(),
      at: this.clock.now(),
    });
  }
}
