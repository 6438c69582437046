import { type CodeAt, WIRE_CODES } from '../../protocol/codes.ts';

/** What a rule can refuse with. */
export const REFUSALS = Object.keys(WIRE_CODES.provider) as readonly CodeAt<'provider'>[];

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
  /** Refuses with this code instead. */
  readonly refuse?: CodeAt<'provider'>;
}
