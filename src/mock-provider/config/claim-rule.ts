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
