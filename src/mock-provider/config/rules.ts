import { type CodeAt, WIRE_CODES } from '../../protocol/codes.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** What is otherwise in a JWT, whether or not it makes sense: a test wants to see what others do with it. */
export interface JwtChanges {
  /** Claims that are added or replaced. */
  readonly claims?: JsonObject;
  /** Members of the header that are added or replaced. The signature is the key's own, whatever `alg` says. */
  readonly header?: JsonObject;
  /** Claims and members of the header that are left out. */
  readonly omit?: readonly string[];
}

/** A change of every JWT of a kind, or of those for one user, client or audience. */
export interface ClaimRule extends JwtChanges {
  readonly of: ChangedToken;
  /** An email address. Default: everybody. */
  readonly user?: string;
  /** A client here. Default: every one. */
  readonly client?: string;
  /** The issuer of the service that an ID-JAG is for. Default: every one. */
  readonly audience?: string;
}

/** The JWTs that can be changed. */
export const CHANGED_TOKENS = ['id_token', 'id_jag'] as const;
/** The name of one. */
export type ChangedToken = (typeof CHANGED_TOKENS)[number];

/** What a rule can refuse with. */
export const REFUSALS = Object.keys(WIRE_CODES.provider) as readonly CodeAt<'provider'>[];

/** The longest `max_age` of a rule, in seconds. */
export const MOST_AGE = 999_999_999;

/**
 * What an administrator lets clients reach: for whom, through which client, at which service, and how far. What is
 * left out is everybody or everything.
 */
export interface PolicyRule {
  /** An email address. */
  readonly user?: string;
  /** A group of configured users. */
  readonly group?: string;
  readonly client?: string;
  /** The issuer of the service. */
  readonly audience?: string;
  readonly resource?: string;
  /** What is granted of the scopes asked for. Default: all of them. */
  readonly scopes?: readonly string[];
  /**
   * The oldest sign-in that is good enough, in seconds: with an older one the client is told to have its user sign in
   * again (ID-JAG §9.2). Default: any.
   */
  readonly maxAge?: number;
  /** Refuses with this code instead. */
  readonly refuse?: CodeAt<'provider'>;
}

/** What an authorization request meets: the page, a user who is signed in without it, or one who refuses. */
export type SignInDecision =
  | { readonly kind: 'ask' }
  | { readonly kind: 'approve'; readonly email: string }
  | { readonly kind: 'deny' };
