import type { DocumentMembers } from '../../mock/config/document-members.ts';
import type { SigningAlgorithm } from '../../mock/keys/algorithm.ts';
import type { ConnectGuard } from '../../runtime/ports.ts';
import type { ClientMapping, ProviderClient } from '../clients/provider-client.ts';
import type { ClaimRule } from './claim-rule.ts';
import type { ProviderLifetimes } from './lifetimes.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { SignInDecision } from './sign-in-decision.ts';

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

/** The options of the provider with every default filled in. */
export interface ProviderConfig {
  /** The provider's URL: `iss` of what it signs, and what every published URL starts with. */
  readonly issuer: string;
  /** Shown on pages. */
  readonly name: string;
  /** Hosts that requests may name beside the server's own: `HOST` or `HOST:PORT`. */
  readonly allowedHosts: readonly string[];
  /** The agent: a public client that asks its user for each service. */
  readonly clientId: string;
  /** Whether there is the agent at all. */
  readonly agentAuth: boolean;
  /** The other clients; empty: any. */
  readonly clients: readonly ProviderClient[];
  /** What these clients reach; the first rule that fits decides. */
  readonly policy: readonly PolicyRule[];
  /** What is otherwise in ID tokens and ID-JAGs. */
  readonly claims: readonly ClaimRule[];
  /** Which clients services know them by. */
  readonly clientMapping: readonly ClientMapping[];
  /** Whether a client that has no id of its own at a service is refused there. */
  readonly refuseUnmapped: boolean;
  /** The name of the agent on pages. */
  readonly clientName: string;
  /** Whether every client and service is told the same `sub` of a user. */
  readonly subjectType: SubjectType;
  /** Of users that have none of their own. */
  readonly tenant: string | undefined;
  /** Stored at the start. */
  readonly users: readonly ProviderUser[];
  /** The email of the user who is signed in and consents without a page. */
  readonly autoApprove: string | undefined;
  /** What authorization requests meet now. Default: the page, or the user who is signed in without one. */
  readonly signIn: SignInDecision;
  readonly lifetimes: ProviderLifetimes;
  /** Members of its documents beside those that it writes itself, or in their place. */
  readonly metadata: DocumentMembers<ProviderDocument>;
  /** The origins whose pages may call it. */
  readonly cors: readonly string[];
  /** `undefined` when ID-JAGs are not minted for that issuer. */
  audience(issuer: string): KnownAudience | undefined;
  /**
   * Whether an event may be sent to an audience. A provider at a public URL must not be made to
   * send requests to its own machine or network, unless these were configured. This goes by the
   * URL as it is written; where its name leads is the matter of {@link receiverGuard}.
   */
  mayNotify(audience: string): boolean;
  /** Asked before a connection to a receiver that is not listed. `undefined`: it may be anywhere. */
  readonly receiverGuard: ConnectGuard | undefined;
  /** Whether a URL is of the origin of an audience that was listed in the options. */
  isListed(url: string): boolean;
}

export type KnownAudience = Audience & { readonly name: string };
