import type { Place } from './service-peer.ts';

/** What the agent is asked to do at a service where everything is right. */
export type ControlName =
  | `discovery at ${Place}`
  | `https elsewhere, by ${Place}`
  | 'begin'
  | 'claim';

/** How far it can get. */
export type ControlStep = 'registration' | 'exchange' | 'call' | 'attempt' | 'poll' | 'page';

/**
 * What the agent does where everything is right. That it refuses something shows nothing unless it takes the
 * right thing instead.
 */
export interface ControlRuns {
  /** @throws CannotTest when the agent does not get as far; NotApplicable when its adapter declines. */
  need(name: ControlName, step: ControlStep): Promise<void>;
  /** Where the agent finds right documents. @throws CannotTest when it does so at none of the places. */
  place(step: ControlStep): Promise<Place>;
  /**
   * That the suite sees what this agent sends to other hosts: of its runtime, some ask DNS and use no proxy.
   * @throws CannotTest when an https request that a right agent may send was not seen.
   */
  needSight(): Promise<void>;
  /** @throws CannotTest when the last runs all hung and sent nothing: no other one is begun. */
  needLife(): void;
  /** Told of each run. */
  noteRun(run: { readonly killed: boolean; readonly requests: number }): void;
}
