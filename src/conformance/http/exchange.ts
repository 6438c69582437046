/** One request and what came back, redacted. */
export interface Exchange {
  /** Within its scenario, from 1. */
  readonly number: number;
  /** Who sent it and who was asked: `suite`, `agent`, `service`, `provider`, `user`. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the scenario began. */
  readonly at: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** At most 4 kB; absent when there was none. */
    readonly body?: string;
  };
  /** Absent when no answer came; `problem` says why. */
  readonly response?: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body?: string;
    /** Milliseconds. */
    readonly duration: number;
  };
  readonly problem?: string;
}
