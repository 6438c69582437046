import type { RedirectListener, Secret } from '../runtime/index.ts';
import type { Abortable, AgentContext, AgentSettings } from './context.ts';
import { type LockingStore, withLock } from './credentials/process-lock.ts';
import type { CredentialStore } from './credentials/store.ts';
import { type OwnMembers, requireOwnMembers } from './dialects/own-members.ts';
import { clientOf } from './given-client.ts';
import { Peer } from './http/peer.ts';
import { createUrlPolicy, type UrlPolicy } from './http/url-policy.ts';
import type { Credentials, DialectId, KeptClient, Service } from './model.ts';

/** What an {@link Agent} is made of: its outside world, where it keeps things, and what it may do. */
export interface AgentOptions extends AgentContext, AgentSettings {
  readonly store: CredentialStore;
}

/** What the functions behind `Agent` share. */
export interface Tools {
  readonly context: AgentContext;
  /** Ends what is asked for now. */
  readonly signal: AbortSignal | undefined;
  readonly store: LockingStore;
  readonly policy: UrlPolicy;
  /** What the agent calls itself. */
  readonly name: string | undefined;
  /** Which dialect is meant where documents leave two open. */
  readonly dialect: DialectId | undefined;
  /** The members of a new registration, as in {@link AgentSettings}; an existing one has its own. */
  readonly members: OwnMembers | undefined;
  readonly environmentToken: Secret | undefined;
  readonly environmentService: string | undefined;
  /** What servers know it by, before what is kept. */
  readonly clients: readonly KeptClient[];
  /** Where the browser of a user brings the answer to a sign-in; `undefined`: nowhere. */
  readonly listenForRedirect: AgentContext['listenForRedirect'];
  /** The answers that are waited for in this process, by their `state`. */
  readonly redirects: Map<string, RedirectListener>;
  readonly unownedToken: NonNullable<AgentSettings['unownedToken']>;
  /** The servers that were asked, by issuer. */
  readonly peers: Map<string, Peer>;
  /** Services met in this process, by issuer, with the local time at which their metadata was read. */
  readonly known: Map<string, { readonly service: Service; readonly readAt: number }>;
}

export function createTools(options: AgentOptions & Abortable): Tools {
  const { fetch, clock, sleep, random, log, store } = options;
  return {
    context: { fetch, clock, sleep, random, log },
    signal: options.signal,
    store: withLock(store),
    policy: createUrlPolicy(options),
    name: options.name,
    dialect: options.dialect,
    members: options.members && requireOwnMembers(options.members),
    environmentToken: options.environmentToken,
    environmentService: options.environmentService,
    unownedToken: options.unownedToken ?? 'refused',
    clients: (options.clients ?? []).map(({ issuer, ...given }) => clientOf(issuer, given)),
    listenForRedirect: options.listenForRedirect,
    redirects: new Map(),
    peers: new Map(),
    known: new Map(),
  };
}

/** Changes what is stored, where nobody waits to hear of it more than that it is done. */
export function changeStore(
  { store }: Pick<Tools, 'store'>,
  change: (current: Credentials) => Credentials,
): Promise<void> {
  return store.update((current) => [change(current), undefined]);
}

/** The peer of an issuer; a new one starts with the offset that was stored. */
export function peerOf(tools: Tools, issuer: string, storedOffset = 0): Peer {
  const known = tools.peers.get(issuer);
  if (known !== undefined) return known;
  const peer = new Peer(tools.context, storedOffset);
  tools.peers.set(issuer, peer);
  return peer;
}

/** The time at a service or provider, in milliseconds: by its last `Date`, or as it was stored; else ours. */
export function nowAt(tools: Tools, issuer: string): number {
  return tools.peers.get(issuer)?.now() ?? tools.context.clock.now();
}
