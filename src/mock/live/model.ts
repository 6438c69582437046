import type { State } from '../../protocol/states.ts';
import type { Receiver } from '../../traffic/exchange.ts';
import type { ExchangeJson } from '../../traffic/exchange-json.ts';
import type { Actor } from '../../traffic/explain/explained.ts';
import type { Step } from '../../traffic/explain/step.ts';
import type { Finding } from '../../traffic/finding.ts';

/**
 * What the live view is told, as JSON: members in snake_case, times as RFC 3339 on the mock's clock. The page
 * takes it as it is; every text in it may come from a stranger.
 */

/** Events by their name: to a reader that comes back all that is kept is told again. */
export interface LiveEvents {
  /** Oldest first. One with a `seq` that came before replaces it. */
  exchange: LiveExchange;
  /** What there is now; again after it has changed. */
  snapshot: LiveSnapshot;
  /** The store fails: what there is now cannot be told, until there is a snapshot again. */
  trouble: null;
}

export type LiveMessage = ExchangeJson['request'];

/** An exchange, explained; secrets are fingerprints. */
export interface LiveExchange extends ExchangeJson {
  readonly from: Actor;
  readonly step: Step;
  readonly meaning: string;
  /** Where it is written down; may be empty. */
  readonly section: string;
  readonly state: State | null;
  /** What is wrong with it, where traffic is judged. */
  readonly findings: readonly Finding[];
}

export interface LiveSnapshot {
  readonly version: 1;
  readonly title: string;
  /** Whether there are buttons, as a mock has them; what stands behind a proxy has none. */
  readonly has_controls: boolean;
  readonly parties: readonly LiveParty[];
  /** Newest first. */
  readonly registrations: readonly LiveRegistration[];
  /** Newest first, codes and links in them. */
  readonly mails: readonly LiveMail[];
  /** What controls changed, at each mock oldest first: no exchange shows it. */
  readonly changes: readonly LiveChange[];
}

export interface LiveParty {
  readonly role: Receiver;
  readonly name: string;
  readonly issuer: string;
  readonly now: string;
  readonly clock_offset_ms: number;
  readonly faults: readonly {
    readonly name: string;
    readonly description: string;
    readonly on: boolean;
  }[];
  /** What it speaks; null for a provider. */
  readonly dialect: string | null;
}

export interface LiveRegistration {
  readonly id: string;
  readonly type: string;
  readonly state: State;
  /** What the specification calls the state; null where it has no name. */
  readonly specification_state: string | null;
  readonly email: string | null;
  /** The name as the agent gave it: its own claim. */
  readonly agent_name: string | null;
  readonly created_at: string;
  /** When it is over unless something happens; null: not by time. */
  readonly ends_at: string | null;
  /** The open claim attempt. */
  readonly attempt: {
    readonly user_code: string | null;
    /** Its page for the user, on this origin. */
    readonly page: string | null;
    readonly expires_at: string;
    readonly wrong_codes: number;
  } | null;
  /** Its entries of the audit trail, oldest first. */
  readonly history: readonly {
    readonly at: string;
    readonly actor: string;
    readonly action: string;
  }[];
}

/** A change that no party made by the protocol, but a control, beside it. */
export interface LiveChange {
  /** Counts up at each mock. */
  readonly seq: number;
  readonly at: string;
  /** The mock that it happened at. */
  readonly role: Receiver;
  /** The action as the audit trail names it. */
  readonly action: string;
  readonly registration_id: string | null;
  readonly detail: Readonly<Record<string, string | number>>;
}

export interface LiveMail {
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What a button asks for. Durations as `11m`. */
export interface LiveActions {
  clock: { readonly advance: string };
  complete: { readonly registration_id: string };
  deny: { readonly registration_id: string };
  revoke: { readonly registration_id: string };
  rotate: { readonly role: Receiver };
  faults: { readonly role: Receiver; readonly faults: readonly string[] };
  reset: Readonly<Record<string, never>>;
}
export type LiveActionName = keyof LiveActions;

/** The answer to an action: a sentence of what is so now, or what to do instead. */
export interface LiveActionResult {
  readonly ok: boolean;
  readonly message: string;
}
