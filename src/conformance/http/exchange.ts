/** A JWT of an exchange as a reader may see it: without its signature. */
export interface ShownToken {
  /** Its mark wherever it occurs: `‹1a2b3c4d›`. */
  readonly mark: string;
  /** Undefined where it is no JSON object, or too long. */
  readonly header?: Readonly<Record<string, unknown>> | undefined;
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

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
  /** The JWTs of both messages, events too (RFC 8417). Absent when there was none. */
  readonly tokens?: readonly ShownToken[] | undefined;
}
