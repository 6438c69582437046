import type { DIALECT_IDS } from '../protocol/index.ts';
import type {
  Clock,
  Fetch,
  ListenForRedirect,
  Log,
  Random,
  Secret,
  Sleep,
} from '../runtime/index.ts';
import type { GivenClient } from './client-model.ts';

/** The outside world, as ports: the agent has no other (architecture.md, idea 1). */
export interface AgentContext {
  /** What sends. It follows no redirect. */
  readonly fetch: Fetch;
  /** The time of this machine. */
  readonly clock: Clock;
  /** What polls wait with. */
  readonly sleep: Sleep;
  /** Where what must not be guessed comes from. */
  readonly random: Random;
  /** Where it tells what happens; never a secret. */
  readonly log: Log;
  /** Takes the answer to a sign-in in a browser of this machine. Left out: users sign in by device code alone. */
  readonly listenForRedirect?: ListenForRedirect | undefined;
}

/** What an agent may do. */
export interface AgentSettings {
  /** Tolerate no difference that RFC 8414 §3.3 or RFC 9728 §3.3 forbids. Default false. */
  readonly strict?: boolean | undefined;
  /** Origins besides the issuer's own that the agent may post to, as `https://host[:port]`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** The dialect of a service whose documents leave two open. Default: `dialect_missing` then. */
  readonly dialect?: (typeof DIALECT_IDS)[number] | undefined;
  /** What the agent calls itself at registration, sent as `client_name` (RFC 7591 §2). Default: it does not say. */
  readonly name?: string | undefined;
  /**
   * Members that a service demands of its own, such as a fixed `client_id`: sent in every JSON body and every
   * form, and remembered with what is registered. Default: none.
   */
  readonly members?: Readonly<Record<string, string>> | undefined;
  /**
   * What servers know this agent by: an id, and perhaps a secret or a key, at each of them; sent to that one alone.
   * They go before those that the store keeps. Default: none.
   */
  readonly clients?: readonly (GivenClient & { readonly issuer: string })[] | undefined;
  /** A token that beats the store at its own service; see `environmentToken`. */
  readonly environmentToken?: Secret | undefined;
  /** The service that `environmentToken` is for, where the store does not have it. */
  readonly environmentService?: string | undefined;
  /**
   * What becomes of an `environmentToken` that is for no known service: it belongs to the one that a request names,
   * it is left alone, or the request is refused. Default: `refused`.
   */
  readonly unownedToken?: 'named' | 'unused' | 'refused' | undefined;
}

/** What can be stopped by its caller. */
export interface Abortable {
  /** Aborting rejects with `aborted`; a wait ends with the outcome `aborted` instead. */
  readonly signal?: AbortSignal | undefined;
}
