import { Agent } from '../../agent/agent.ts';
import { createMemoryStore } from '../../agent/credentials/memory-store.ts';
import type { Ceremony } from '../../agent/model.ts';
import type { State } from '../../mock-service/claim-machine/state.ts';
import type { FakeClock } from '../../runtime/fake.ts';
import type { Fetch, Random, Sleep } from '../../runtime/ports.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Actor, Exchange } from './exchange.ts';
import { meaningOf } from './meaning.ts';
import { type RawExchange, recordFetch } from './recorder.ts';
import { ScriptedUser } from './scripted-user.ts';
import { showMembers, showPath, showText } from './show-members.ts';
import { showWire } from './show-wire.ts';

/** What the audience sees, in order. */
export interface Audience {
  open(service: string, provider: string): void;
  act(title: string, subtitle: string): void;
  /** A line of the story. */
  tell(text: string): void;
  /** The code and the page, as the claim screen shows them. */
  ceremony(ceremony: Ceremony): void;
  exchange(exchange: Exchange): void;
}

/** Where a registration ended up, for the summary. */
export interface Ending {
  readonly title: string;
  readonly registrationId: string;
  readonly state: State;
}

export interface DemoHarnessSetup {
  readonly service: string;
  readonly provider: string;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly fetch: Fetch;
  readonly audience: Audience;
  readonly stateOf: (registrationId: string) => Promise<State | undefined>;
}

/** Where the demo plays: the servers, a clock that jumps instead of waiting, and who watches. */
export class DemoHarness {
  readonly service: string;
  readonly provider: string;
  readonly clock: FakeClock;
  readonly endings: Ending[] = [];
  readonly #setup: DemoHarnessSetup;
  #cues: (() => Promise<void>)[] = [];
  #title = '';
  #registrationId: string | undefined;
  #exchanges = 0;

  constructor(setup: DemoHarnessSetup) {
    this.#setup = setup;
    this.service = setup.service;
    this.provider = setup.provider;
    this.clock = setup.clock;
    setup.audience.open(setup.service, setup.provider);
  }

  get exchanges(): number {
    return this.#exchanges;
  }

  /** A new agent on a new machine: it knows nothing yet. */
  act(title: string, subtitle: string): Agent {
    this.#title = title;
    this.#registrationId = undefined;
    this.#setup.audience.act(title, subtitle);
    return new Agent({
      fetch: this.fetchFor('agent'),
      clock: this.clock,
      sleep: this.#sleep,
      random: this.#setup.random,
      log: silentLog,
      store: createMemoryStore(),
    });
  }

  /** The curtain: notes where the registration of this act stands. */
  async end(): Promise<void> {
    const id = this.#registrationId;
    const state = await this.#state();
    if (id !== undefined && state !== undefined) {
      this.endings.push({ title: this.#title, registrationId: id, state });
    }
  }

  newUser(): ScriptedUser {
    return new ScriptedUser(this.fetchFor('user'));
  }

  tell(text: string): void {
    this.#setup.audience.tell(text);
  }

  show(ceremony: Ceremony): void {
    this.#setup.audience.ceremony(ceremony);
  }

  /** What happens in the world while the agent waits: one cue for each wait between two polls. */
  meanwhile(...cues: readonly (() => Promise<void>)[]): void {
    this.#cues = [...cues];
  }

  fetchFor(actor: Actor): Fetch {
    return recordFetch(this.#setup.fetch, actor, (exchange) => this.#report(exchange));
  }

  readonly #sleep: Sleep = async (ms, signal) => {
    signal?.throwIfAborted();
    this.clock.advance(ms);
    await this.#cues.shift()?.();
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
    this.#setup.audience.exchange({
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
