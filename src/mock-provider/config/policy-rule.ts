import { type CodeAt, WIRE_CODES } from '../../protocol/codes.ts';

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
