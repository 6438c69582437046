import type { DocumentMembers } from '../../mock/config/document-members.ts';
import type { SigningAlgorithm } from '../../mock/keys/algorithm.ts';
import type { ConnectGuard } from '../../runtime/ports.ts';
import type { ClientMapping, ProviderClient } from '../clients/provider-client.ts';
import type { ProviderLifetimes } from './lifetimes.ts';
import type { ClaimRule, PolicyRule, SignInDecision } from './rules.ts';

/** A service that ID-JAGs are minted for. */
export interface Audience {
  /** Compared character for character. */
  readonly issuer: string;
  /** Shown to people. Default: the issuer's host. */
  readonly name?: string;
  /** What it can be asked for. Default: unknown, so no scope is named. */
  readonly scopes?: readonly string[];
  /** Its APIs on other origins than its own, as `resource` names them. Default: none. */
  readonly resources?: readonly string[];
  /** What signs its ID-JAGs. Default: as everything. */
  readonly algorithm?: SigningAlgorithm;
}

/** A user with more than an email address. Everybody else gets an account at the first sign-in. */
export interface ProviderUser {
  /** What they sign in with, and `email` of their ID token. */
  readonly email: string;
  /** Default: true. */
  readonly emailVerified?: boolean;
  /** `name` of their ID token. */
  readonly name?: string;
  /** E.164, taken as verified. */
  readonly phone?: string;
  readonly tenant?: string;
  /** What rules of the policy name. */
  readonly groups?: readonly string[];
}

/** The kinds of `sub` (OpenID Connect Core §8). */
export const SUBJECT_TYPES = ['public', 'pairwise'] as const;
/** The name of one. */
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** What members can be changed in: server metadata (both paths), and the client ID metadata document. */
export const PROVIDER_DOCUMENTS = ['provider', 'client'] as const;
/** The name of one. */
export type ProviderDocument = (typeof PROVIDER_DOCUMENTS)[number];

/** The options that are kept as they were set, or with their defaults. */
export interface ProviderSettings {
  /** The name on its pages. Default: `Example Provider`. */
  readonly name: string;
  /** Whether there is the client `clientId`, the agent, beside the others. Default: true. */
  readonly agentAuth: boolean;
  /** What clients but the agent reach: the first rule that fits decides. Default: everything that is asked for. */
  readonly policy: readonly PolicyRule[];
  /** What is otherwise in ID tokens and ID-JAGs: of all, or for a user, a client or a service. Default: nothing. */
  readonly claims: readonly ClaimRule[];
  /** The `client_id` that a service knows a client by. Default: the same id. */
  readonly clientMapping: readonly ClientMapping[];
  /** Refuses a client with `unauthorized_client` at a service that the mapping does not name. Default: the same id. */
  readonly refuseUnmapped: boolean;
  /** The agent, a public client. Default: `agent-auth`. */
  readonly clientId: string;
  /** The name of the agent on pages. Default: `agent-auth`. */
  readonly clientName: string;
  /** The users that it knows from the start on; whoever else signs in becomes one. Default: none. */
  readonly users: readonly ProviderUser[];
  /**
   * `pairwise`: each client, and each service in its ID-JAGs, is told another `sub` of the same user, by the host that
   * it is at. Default: `public`.
   */
  readonly subjectType: SubjectType;
  /**
   * The origins whose pages may call it from a browser, or `*` for any: discovery, sign-in by device code,
   * tokens and user info, without cookies; no page and no control. Default: none.
   */
  readonly cors: readonly string[];
}

/** The options of the provider with every default filled in. */
export interface ProviderConfig extends ProviderSettings {
  /** The provider's URL: `iss` of what it signs, and what every published URL starts with. */
  readonly issuer: string;
  /** Hosts that requests may name beside the server's own: `HOST` or `HOST:PORT`. */
  readonly allowedHosts: readonly string[];
  /** Beside the agent; empty: any. */
  readonly clients: readonly ProviderClient[];
  readonly tenant: string | undefined;
  readonly autoApprove: string | undefined;
  /** What authorization requests meet now. Default: the page, or the user who is signed in without one. */
  readonly signIn: SignInDecision;
  readonly lifetimes: ProviderLifetimes;
  readonly metadata: DocumentMembers<ProviderDocument>;
  /** `undefined` when ID-JAGs are not minted for that issuer. */
  audience(issuer: string): KnownAudience | undefined;
  /**
   * Whether an event may be sent to an audience. A provider at a public URL must not be made to
   * send requests to its own machine or network, unless these were configured. This goes by the
   * URL as it is written; where its name leads is the matter of {@link receiverGuard}.
   */
  mayNotify(audience: string): boolean;
  /** Called before a connection to a receiver that is not listed. `undefined`: it may be anywhere. */
  readonly receiverGuard: ConnectGuard | undefined;
  /** Whether a URL is of the origin of an audience that was listed in the options. */
  isListed(url: string): boolean;
}

export type KnownAudience = Audience & { readonly name: string };
