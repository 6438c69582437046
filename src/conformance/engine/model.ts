import type { Exchange } from '../http/exchange.ts';

/** Whose implementation is judged. */
export const ROLES = ['service', 'agent', 'provider'] as const;
export type Role = (typeof ROLES)[number];

/**
 * How binding a requirement is, strongest first. `must` and `should` as in the source; an attack that
 * must fail is a `must`. `profile`: required only by the wire contract, where specification and RFCs are
 * silent; `may`: an option of the source.
 */
export const LEVELS = ['must', 'should', 'profile', 'may'] as const;
export type Level = (typeof LEVELS)[number];

/**
 * `fail`: a must is broken. `warn`: anything weaker is. `skip`: it does not apply, or was not selected; the
 * reason says which. `untestable`: it applies and could not be tested.
 */
export const STATUSES = ['pass', 'fail', 'warn', 'skip', 'untestable'] as const;
export type Status = (typeof STATUSES)[number];

/** One thing that is wrong. */
export interface Finding {
  /** A sentence. */
  readonly expected: string;
  /** A sentence, or what was received, redacted. */
  readonly seen: string;
  /** Number of the exchange that shows it. */
  readonly exchange?: number;
}

export interface CheckResult {
  /** `<scenario>.<name>`. */
  readonly id: string;
  /** What holds when it passes: one sentence. */
  readonly title: string;
  /** Of the strongest requirement that it judges. */
  readonly level: Level;
  readonly status: Status;
  /** Ids of requirements. */
  readonly requirements: readonly string[];
  /** Where to read about it: `RFC 9728 §3.3`, `agent-registration.md, Errors`, `wire.md §4`. */
  readonly sources: readonly string[];
  /** Why it fails or warns: at least one then, at most eight. */
  readonly findings: readonly Finding[];
  /** How many findings there are beyond these eight. */
  readonly moreFindings: number;
  /** Why it was skipped or could not be tested. */
  readonly reason?: string;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly checks: readonly CheckResult[];
  readonly exchanges: readonly Exchange[];
}

export type Counts = Readonly<Record<Status, number>>;

export interface Summary {
  readonly checks: Counts;
  readonly byLevel: Readonly<Record<Level, Counts>>;
}

/** The results of a run. What `--json` prints, under `schema`. */
export interface Report {
  readonly schema: 'agent-auth.conformance/1';
  /** Version of this program. */
  readonly version: string;
  readonly role: Role;
  /** What was judged: a URL, or a command line. */
  readonly target: string;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Of the names and values that the suite invented: the same seed makes the same ones. */
  readonly seed: number;
  readonly summary: Summary;
  readonly scenarios: readonly ScenarioResult[];
}
