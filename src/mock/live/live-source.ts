import type { JsonObject } from '../../protocol/json.ts';
import type { Finding } from '../../traffic/finding.ts';
import type { LiveActionResult, LiveSnapshot } from './model.ts';

/** What the live view shows beside exchanges, and what its buttons do. */
export interface LiveSource {
  snapshot(): Promise<LiveSnapshot>;
  /** What is wrong with an exchange; none where traffic is not judged. */
  findings(seq: number): readonly Finding[];
  /**
   * Calls `listener` when a snapshot is to be looked at again; with its `seq` when the findings of an exchange are
   * others. @returns ends it.
   */
  follow(listener: (seq?: number) => void): () => void;
  /**
   * Does what a button says: one of `LiveActions`, once it was read.
   * @throws WireProblem for what cannot be done; its description is shown.
   */
  act(name: string, given: JsonObject): Promise<LiveActionResult>;
}
