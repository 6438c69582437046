import type { JsonObject } from '../../../protocol/json.ts';

/** What an ID-JAG is meant for, as far as it was said. Times are milliseconds since the epoch. */
export interface Expected {
  /** The issuer of the server that it is redeemed at. */
  readonly audience: string | undefined;
  /** The client as that server knows it. */
  readonly client: string | undefined;
  /** Identifiers of resources; each one that the ID-JAG names is among them. */
  readonly resources: readonly string[];
  readonly now: number;
}

export type Verdict = 'pass' | 'warn' | 'fail';

/** One header parameter, claim, or the whole, judged. */
export interface Judged {
  readonly part: 'token' | 'header' | 'claims' | 'signature';
  readonly name: string;
  readonly verdict: Verdict;
  /** The value as it stands in the JWT; `undefined` where it is not there. */
  readonly value?: unknown;
  readonly message: string;
  /** What to write instead, where it is not plain from the message. */
  readonly instead?: string;
  readonly source: string;
}

/** A text that says why it passes, or what is to be said otherwise. */
export type Said = string | Pick<Judged, 'verdict' | 'message' | 'instead'>;

export interface Rule {
  readonly source: string;
  /** What is said where it is not there. Without it nothing is. */
  readonly absent?: Pick<Judged, 'verdict' | 'message' | 'instead'>;
  readonly judge: (value: unknown, around: Around) => Said;
}

export interface Around {
  readonly expected: Expected;
  /** All that stands beside it: the header, or the claims. */
  readonly whole: JsonObject;
}
