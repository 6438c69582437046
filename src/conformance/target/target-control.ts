/** What the control API of a mock, or one with the same routes, can do for the suite. */
export interface TargetControl {
  /** Moves the clock forward. Milliseconds. */
  advance(by: number): Promise<void>;
  /** Makes a service accept a provider. */
  trust(entry: { readonly issuer: string; readonly jwksUri: string }): Promise<void>;
  /** Publishes a new signing key that signs after so many milliseconds. */
  rotate(lead: number): Promise<void>;
  /** Sets the clock to what it was before the run. */
  restore(): Promise<void>;
}
