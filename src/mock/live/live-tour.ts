import type { LiveTourStep } from './model.ts';

/** The flows, one button a step. */
export interface LiveTour {
  /** @param dialect what the service speaks now, which the lines are written in. */
  steps(dialect: string | null): readonly LiveTourStep[];
  /**
   * Takes a step.
   * @returns what came of it, a sentence.
   * @throws WireProblem where it cannot be taken.
   */
  take(id: string): Promise<string>;
  /** Forgets the steps that were taken: what they led to is gone. */
  restart(): void;
}
