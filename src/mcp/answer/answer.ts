/** What a tool has to say, before it is written as a result of the protocol. */

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

export type JsonMembers = { readonly [member: string]: JsonValue };

/** A text that the agent did not write: a service's, a provider's or a directory's. */
export interface Quote {
  /** What it is, in our words: `body of the answer`. */
  readonly what: string;
  /** Whose: an origin or a URL. */
  readonly from: string;
  /** Already harmless, without secrets, and capped. */
  readonly text: string;
}

export interface Answer {
  /** Our own sentences, for the model. Nothing of a stranger stands in them. */
  readonly lines: readonly string[];
  /** The same for programs. What a stranger wrote is below members that begin with `untrusted_`. */
  readonly data: JsonMembers;
  readonly quotes?: readonly Quote[];
  readonly isError?: boolean;
}
