/** Limits on a peer that sends or reads a byte now and then, and on one that does so often. Milliseconds. */
export interface ConnectionLimits {
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
  readonly keepAlive: number;
  /** How often the first two are looked at. */
  readonly check: number;
  /** How many connections there are at once. */
  readonly connections: number;
}
