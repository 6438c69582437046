import { openCredentialFile } from '../agent/credentials/credential-file.ts';
import { environmentService } from '../agent/credentials/environment-token.ts';
import {
  type CredentialStore,
  type DialectId,
  type GivenClient,
  Agent as PlainAgent,
} from '../agent/index.ts';
import {
  type Clock,
  type Fetch,
  type ListenForRedirect,
  type Log,
  limitFetch,
  type Random,
  type Secret,
  type Sleep,
  silentLog,
  systemClock,
  systemFetch,
  systemRandom,
  systemSleep,
} from '../runtime/index.ts';
import { type OptionNames, refuseOptions } from './refuse-options.ts';

export { openCredentialFile } from '../agent/credentials/credential-file.ts';
export { environmentToken } from '../agent/credentials/environment-token.ts';
export type { CredentialFileOptions } from '../agent/credentials/location.ts';
export * from '../agent/index.ts';

/** What an {@link Agent} is made of. What is left out is this machine's. */
export interface AgentOptions {
  /** Where everything is kept. Default: the credential file of this user, which the program uses too. */
  readonly store?: CredentialStore | undefined;
  /** Default: the global `fetch`, looked up at each call. */
  readonly fetch?: Fetch | undefined;
  /**
   * How long an answer may take, from the request's start to the end of its body, in milliseconds.
   * Default: 30 000, for a `fetch` of your own too; `Infinity`: as long as `fetch` lets it.
   */
  readonly timeLimit?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** What polling waits with. Default: the system's timers. */
  readonly sleep?: Sleep | undefined;
  /** Default: the system's. */
  readonly random?: Random | undefined;
  /** Default: nothing is logged. */
  readonly log?: Log | undefined;
  /** Tolerate no difference that RFC 8414 §3.3 or RFC 9728 §3.3 forbids. Default: false. */
  readonly strict?: boolean | undefined;
  /** Origins besides the issuer's own that the agent may post to, as `https://host[:port]`. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** The dialect of a service whose documents leave two open. Default: discovery says so, and stops. */
  readonly dialect?: DialectId | undefined;
  /** What the agent calls itself at registration, sent as `client_name` (RFC 7591 §2). Default: it does not say. */
  readonly name?: string | undefined;
  /**
   * Members that a service demands of its own, as `{ client_id: 'my-agent' }`: sent in every JSON body and form of what
   * is registered with them, and remembered. Default: none.
   */
  readonly members?: Readonly<Record<string, string>> | undefined;
  /**
   * What servers know this agent by, each at its own issuer: `[{ issuer, id, secret }]`. Sent to that server alone, and
   * not stored. Default: what the store keeps.
   */
  readonly clients?: readonly (GivenClient & { readonly issuer: string })[] | undefined;
  /** Takes the answer to a sign-in in a browser. Default: on a loopback address of this machine. */
  readonly listenForRedirect?: ListenForRedirect | undefined;
  /** A token that beats the store at its own service, for example `environmentToken()`. Default: none. */
  readonly environmentToken?: Secret | undefined;
  /**
   * The service that `environmentToken` is for, where the store does not have it; it is sent to no other. Default:
   * `AGENT_AUTH_SERVICE`.
   */
  readonly environmentService?: string | undefined;
}

const OPTIONS: OptionNames<AgentOptions> = {
  ...{ clients: true, listenForRedirect: true },
  ...{ allowOrigins: true, clock: true, dialect: true, environmentToken: true },
  ...{ environmentService: true, fetch: true },
  ...{ log: true, members: true, name: true, random: true, sleep: true, store: true },
  ...{ strict: true, timeLimit: true },
};

/**
 * The agent with the defaults of Node: `new Agent()` works. `agent-auth/agent` has the class that it
 * extends, without a default.
 */
export class Agent extends PlainAgent {
  /**
   * @throws TypeError for an option that there is not; AgentError `bad_address` when an entry of `allowOrigins` is no
   * origin, `bad_member` when `members` cannot be sent.
   */
  constructor(options: AgentOptions = {}) {
    refuseOptions(options, OPTIONS);
    const { fetch = systemFetch, timeLimit } = options;
    super({
      store: options.store ?? openCredentialFile(),
      fetch: timeLimit === Number.POSITIVE_INFINITY ? fetch : limitFetch(fetch, timeLimit),
      clock: options.clock ?? systemClock,
      sleep: options.sleep ?? systemSleep,
      random: options.random ?? systemRandom,
      log: options.log ?? silentLog,
      strict: options.strict,
      allowOrigins: options.allowOrigins,
      dialect: options.dialect,
      name: options.name,
      members: options.members,
      clients: options.clients,
      listenForRedirect:
        options.listenForRedirect ??
        (async (again) => (await import('../runtime/system-loopback.ts')).listenOnLoopback(again)),
      environmentToken: options.environmentToken,
      environmentService: options.environmentService ?? environmentService(),
    });
  }
}
