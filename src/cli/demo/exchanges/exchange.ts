import type { State } from '../../../mock-service/claim-machine/state.ts';
import type { Shown } from './show-members.ts';
import type { WireMessage } from './show-wire.ts';

/** Who sends a request in the demo. */
export type Actor = 'agent' | 'user' | 'service';
export type Receiver = 'service' | 'provider';

/** One request and its answer, as the demo shows it. */
export interface Exchange {
  readonly actor: Actor;
  readonly receiver: Receiver;
  readonly method: string;
  /** Values of the query are left out. */
  readonly url: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** As it went over the wire. */
  readonly request: WireMessage;
  readonly response: WireMessage;
  /** Members of both for the text, whatever the body was written in. */
  readonly sent: Shown;
  readonly received: Shown;
  /** What it means, as a short sentence. */
  readonly meaning: string;
  /** The registration, and its state afterwards. */
  readonly registrationId: string | undefined;
  readonly state: State | undefined;
  /** On the demo's clock, in milliseconds since the epoch. */
  readonly at: number;
}
