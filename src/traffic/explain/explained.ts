import type { State } from '../../protocol/index.ts';
import type { Exchange } from '../exchange.ts';
import type { Step } from './step.ts';

/** Who takes part: the agent, its user at a browser, the service, and the user's identity provider. */
export const ACTORS = ['agent', 'user', 'service', 'provider'] as const;
export type Actor = (typeof ACTORS)[number];

/** An exchange, and what it is in the procedure. */
export interface Explained {
  readonly exchange: Exchange;
  /** Who sent the request, by what it is: nothing on the wire proves it. */
  readonly from: Actor;
  readonly step: Step;
  /** The meaning as the end of a sentence that began with the request; empty where there is nothing to say. */
  readonly meaning: string;
  /** Where it is written down; `''` where nothing is. */
  readonly section: string;
  readonly registrationId: string | undefined;
  /** The state of that registration afterwards, as far as the wire shows it (wire contract §8). */
  readonly state: State | undefined;
}
