import { Agent, createMemoryStore } from '../../agent/index.ts';
import type { MockProvider, WantedIdJag } from '../../mock-provider/index.ts';
import type { MockService } from '../../mock-service/index.ts';
import { type Fetch, type Random, type Sleep, silentLog } from '../../runtime/index.ts';
import type { PollWatch } from './poll-watch.ts';
import { refuseAgent } from './refuse-world.ts';
import { type SignedIn, type SignInOptions, signInByCode } from './sign-in.ts';
import type { TestClock } from './test-clock.ts';
import type { TestApp, TestFetch } from './test-network.ts';
import { TestUser } from './test-user.ts';
import type { TestAgentOptions, TestWorldOptions } from './world-options.ts';

declare global {
  /** The constructor as of ES2026; a project whose `lib` has it declares the same. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** What a world is put together from. */
export interface WorldParts {
  readonly service: MockService;
  readonly provider: MockProvider;
  readonly clock: TestClock;
  readonly fetch: TestFetch;
  /** What agents and browsers send with: follows no redirect. */
  readonly port: Fetch;
  readonly watch: PollWatch;
  readonly random: Random;
  readonly options: TestWorldOptions;
  readonly close: () => Promise<void>;
}

/** A service, a provider, an agent and a user, on one clock. */
export class TestWorld {
  /** The mock service: `service.issuer` is its URL, `service.controls` what a test does to it. */
  readonly service: MockService;
  /** The mock provider. */
  readonly provider: MockProvider;
  /** An agent that knows nothing yet. What it waits moves the clock: no test waits. */
  readonly agent: Agent;
  /** The clock of everybody here. */
  readonly clock: TestClock;
  /** The user, who does nothing before the test says so. */
  readonly user: TestUser;
  /** The `fetch` for an agent of yours, in place of the global one. */
  readonly fetch: TestFetch;
  /** The applications that were added with the option `apps`. */
  readonly apps: readonly TestApp[];
  readonly #parts: WorldParts;
  #closing: Promise<void> | undefined;

  constructor(parts: WorldParts) {
    const { clock, fetch, options, provider, service } = parts;
    this.#parts = parts;
    this.service = service;
    this.provider = provider;
    this.clock = clock;
    this.fetch = fetch;
    this.apps = options.apps ?? [];
    this.user = this.newUser(options.email ?? 'alice@example.com');
    this.agent = this.newAgent(options.agent);
  }

  /**
   * Moves the clock, and does not wait: for an agent of yours that takes what it waits with. Milliseconds. Rejects with
   * what an act of a user threw: it would be lost where an agent takes it for a connection that broke off.
   */
  readonly sleep: Sleep = async (ms, signal) => {
    signal?.throwIfAborted();
    this.#parts.watch.throwFailure();
    this.clock.advance(Math.max(0, Math.ceil(ms)));
  };

  /**
   * Makes another agent, with a store of its own. @throws TypeError, or AgentError `bad_address`, when an option is
   * wrong.
   */
  newAgent(options: TestAgentOptions = {}): Agent {
    refuseAgent(options);
    const { store = createMemoryStore(), ...settings } = options;
    const { clock, port, random } = this.#parts;
    return new Agent({
      ...settings,
      store,
      fetch: port,
      clock,
      sleep: this.sleep,
      random,
      log: silentLog,
    });
  }

  /** Makes another user, with a browser of their own. @throws TypeError for what is no email. */
  newUser(email: string): TestUser {
    const { port, service, watch } = this.#parts;
    return new TestUser(email, {
      service,
      waiting: watch.waiting,
      fetch: port,
      follow: (script) => watch.follow(script),
    });
  }

  /**
   * Signs a user in to a client at the provider, by authorization code and PKCE, without a page to look at: what the
   * client exchanges for an ID-JAG.
   * @throws TypeError for a client that there is not; Error where the provider refuses.
   */
  async signIn(wanted: SignInOptions = {}): Promise<SignedIn> {
    const { port: fetch, random } = this.#parts;
    const { controls, issuer } = this.provider;
    const clients = await controls.clients();
    return signInByCode(
      { issuer, fetch, random, clients },
      { ...wanted, email: wanted.email ?? this.user.email },
    );
  }

  /**
   * An ID-JAG of the provider, right or wrong: any claim and any member of the header can be another, or left out. It
   * names the user, and is for the service, unless it says otherwise.
   */
  async mintIdJag(wanted: Partial<WantedIdJag> = {}): Promise<string> {
    const { provider, service, user } = this;
    const whom = { email: user.email, audience: service.issuer };
    return (await provider.mintIdJag({ ...whom, ...wanted })).idJag;
  }

  /**
   * Ends both mocks: nobody answers any more. Rejects, once that is done, with what an act of a user threw, where nobody
   * was told before.
   */
  close(): Promise<void> {
    this.#closing ??= this.#parts.close().then(() => this.#parts.watch.throwFailure());
    return this.#closing;
  }

  /** Closes it at the end of the block: `await using world = …`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
