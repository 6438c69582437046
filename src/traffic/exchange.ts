import type { LogFields } from '../runtime/ports.ts';

/** Whose answer it is: a service, or an identity provider. */
export type Receiver = 'service' | 'provider';

/** A request and its answer; secrets are fingerprints, in both. */
export interface Exchange {
  /** Counts up from 1 in the order of the answers, also over a reset. */
  readonly seq: number;
  /** Which mock it went to. */
  readonly to: Receiver;
  /** When the request came, on the clock of who answered, in milliseconds since the epoch. */
  readonly at: number;
  /** The time from the request to the beginning of its answer, in milliseconds. */
  readonly duration: number;
  /** The method of HTTP, as it was sent. */
  readonly method: string;
  /** Absolute, with the query. */
  readonly url: string;
  /** The path without origin and query. */
  readonly path: string;
  /** What was sent. */
  readonly request: ExchangeMessage;
  /** `null`: the connection was closed without an answer. */
  readonly status: number | null;
  /** What was answered. */
  readonly response: ExchangeMessage;
  /** The registration that it is about, where the exchange or an earlier one with the same secret names it. */
  readonly registrationId?: string;
  /** What the mock that answered says of it beside the answer. Left out: nothing. */
  readonly notes?: readonly ExchangeNote[];
}

/** What a mock says of an exchange, and not to whom it answers: an entry of its log, without secrets. */
export interface ExchangeNote {
  /** The kind of event, as the log names it. */
  readonly event: string;
  readonly fields: LogFields;
}

/** A refused ID-JAG: `check`, and the `claim` that failed, with what was `expected` and `seen`. */
export const REDEMPTION_REFUSED = 'redemption.refused';

/** A request or an answer, without secrets. */
export interface ExchangeMessage {
  /** The fields by their names in lower case; one that came several times is one text, joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON with its own structure, a form as an object of its fields, other text as it is; `{ title }` of a
   * page; `null` where there is none to show. A JWT is `{ jwt, header, claims }`, `jwt` its fingerprint.
   */
  readonly body: unknown;
  readonly bodyState: BodyState;
  /** The length of the body as far as it was seen. */
  readonly bytes: number;
}

/**
 * How much of a body is shown:
 * - `none`: there was none
 * - `whole`
 * - `cut`: its beginning as text, because it is longer than 16 KiB
 * - `incomplete`: what came of it as text; it broke off, was not read further, or still comes
 * - `page`: HTML, by its title alone
 * - `binary`: nothing; it is no text, packed, or in several parts
 */
export type BodyState = 'none' | 'whole' | 'cut' | 'incomplete' | 'page' | 'binary';

/** How much of a body is kept. */
export const MAX_KEPT_BYTES = 16 * 1024;

/** How many exchanges are kept where nothing else was asked for. */
export const DEFAULT_KEPT = 1_000;
/** What can be asked for at most. */
export const MOST_KEPT = 1_000_000;
