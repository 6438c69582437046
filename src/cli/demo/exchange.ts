import type { State } from '../../mock-service/claim-machine/state.ts';

/** Who sends a request in the demo. */
export type Actor = 'agent' | 'user' | 'service';
export type Receiver = 'service' | 'provider';

/** What was sent and answered, secrets reduced to fingerprints. */
export type Shown = Readonly<Record<string, string>>;

/** One request and its answer, as the demo tells it. */
export interface Exchange {
  readonly actor: Actor;
  readonly receiver: Receiver;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly request: Shown;
  readonly status: number;
  readonly response: Shown;
  /** What it means, as a short sentence. */
  readonly meaning: string;
  /** Where the registration stands after it. */
  readonly registrationId: string | undefined;
  readonly state: State | undefined;
  /** On the demo's clock, in milliseconds since the epoch. */
  readonly at: number;
}
