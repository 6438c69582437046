import type { LiveTourStep } from './model.ts';

/** The flows, one button a step. */
export interface LiveTour {
  steps(): readonly LiveTourStep[];
  /**
   * Takes a step.
   * @returns what came of it, a sentence.
   * @throws WireProblem where it cannot be taken.
   */
  take(id: string): Promise<string>;
}
