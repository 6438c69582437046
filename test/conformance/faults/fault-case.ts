/** What has to be seen of one fault. */
export interface FaultCase {
  readonly fault: string;
  /** The scenarios of its set: all of them are run. */
  readonly scenarios: readonly string[];
  /** Exactly these checks fail or warn: no more, no less. */
  readonly fails: readonly string[];
}
