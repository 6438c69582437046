import type { AgentRun } from './agent-task.ts';
import type { Place } from './service-peer.ts';

/** What the agent is asked to do at a service where everything is right. */
export type ControlName =
  | `discovery at ${Place}`
  | `https elsewhere, by ${Place}`
  | 'begin'
  | 'claim'
  | 'connect';

/** How far it can get. */
export type ControlStep =
  | 'registration'
  | 'exchange'
  | 'call'
  | 'attempt'
  | 'poll'
  | 'page'
  | CrossAppStep;

/** How far it can get by cross-app access. */
export type CrossAppStep = 'code' | 'mint' | 'redemption' | 'connection';

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
   * Makes sure that the suite sees what this agent sends to other hosts: of its runtime, some ask DNS and use no proxy.
   * @throws CannotTest when an https request that a right agent may send was not seen.
   */
  needSight(): Promise<void>;
  /**
   * Runs the command. Until a run has sent a request, or ended by itself, there is one at a time.
   * @param requests How many this run has sent.
   * @throws CannotTest when the first run hung, or sent nothing and at a right service neither, or three in a row
   *   hung and sent nothing: no other one is begun.
   */
  run<Run extends CommandEnd>(begin: () => Promise<Run>, requests: () => number): Promise<Run>;
  /** Notes a request, of whichever run. */
  noteRequest(): void;
}

export type CommandEnd = Pick<AgentRun, 'exitCode' | 'killed' | 'killedFor' | 'stderr'>;
