import type { LiveTourStep } from '../../../../mock/live/model.ts';
import type { TourPlayer } from './tour-player.ts';

/** What the lines of the tour are written for. */
export interface TourPlace {
  /** The issuer of the service. */
  readonly service: string;
  /** The issuer of the provider; undefined where none runs here. */
  readonly provider: string | undefined;
  /** A call that needs a token. */
  readonly call: { readonly method: string; readonly path: string };
  /** Whether the `curl` lines are right: they are written in the dialect `flat`. */
  readonly isFlat: boolean;
  /** A command line of this program. */
  readonly line: (rest: string) => string;
}

export interface TourStep {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly curl: string;
  readonly line: string;
  /**
   * @param patience aborted when what is waited for should have come.
   * @returns what came of it, a sentence.
   * @throws Error where it did not go as the step says.
   */
  run(player: TourPlayer, patience: AbortSignal): Promise<string>;
}

export interface TourFlow {
  readonly flow: LiveTourStep['flow'];
  readonly steps: readonly TourStep[];
}
