import type { Exchange, ShownToken } from '../http/recorder.ts';
import type { SourceLink } from './source-link.ts';

/** Whose implementation is judged. */
export const ROLES = ['service', 'agent', 'provider'] as const;
/** Whose implementation is judged. */
export type Role = (typeof ROLES)[number];

/**
 * How binding a requirement is, strongest first. `must` and `should` as in the source; an attack that
 * must fail is a `must`. `may`: an option of the source.
 */
export const LEVELS = ['must', 'should', 'may'] as const;
/** How much a requirement demands: one of {@link LEVELS}. */
export type Level = (typeof LEVELS)[number];

/**
 * What a check is about. `protocol`: a row of the specification, what makes agents work. `standards`: what an
 * RFC, or our wire contract, asks for beyond it. `attacks`: what must not succeed. `ema`: cross-app access, the
 * ID-JAG of an identity provider at a token endpoint (MCP Enterprise-Managed Authorization), whatever it is about.
 */
export const SECTIONS = ['protocol', 'standards', 'attacks', 'ema'] as const;
/** A part of a report: one of {@link SECTIONS}. */
export type Section = (typeof SECTIONS)[number];

/**
 * What an attacker has of a check that fails, worst first. `anyone`: the identity of whomever they choose.
 * `account`: data or identity of somebody else, without that user. `lure`: the same once a user follows a
 * link, or what else the attacker gives them. `chance`: the same by a race, or by what has ended.
 * `information`: what the attacker must not know or reach. `outage`: nobody is served. `weakness`: another
 * attack is easier.
 */
export const GAINS = [
  'anyone',
  'account',
  'lure',
  'chance',
  'information',
  'outage',
  'weakness',
] as const;
/** What an attacker gets: one of {@link GAINS}. */
export type Gain = (typeof GAINS)[number];

/** What an attacker can do where a check fails. */
export interface Attack {
  readonly gain: Gain;
  /** A sentence whose subject, the attacker, is left out: `Guesses user codes until one fits.` */
  readonly can: string;
}

/**
 * `fail`: a must of the specification or of a standard is broken, or an attack succeeded. `warn`: anything
 * weaker is, or a must that another reading softens. `skip`: it does not apply, was not selected, or rests on
 * a check that failed; the reason says which. `untestable`: it applies and could not be tested.
 */
export const STATUSES = ['pass', 'fail', 'warn', 'skip', 'untestable'] as const;
/** How a check ended: one of {@link STATUSES}. */
export type Status = (typeof STATUSES)[number];

/** A thing that is wrong. */
export interface Finding {
  /** A sentence. */
  readonly expected: string;
  /** A sentence, or what was received, redacted. */
  readonly seen: string;
  /** Number of the exchange that shows it. */
  readonly exchange?: number;
}

/** A check of a scenario, as it ended. */
export interface CheckResult {
  /** `<scenario>.<name>`. */
  readonly id: string;
  /** What holds when it passes: one sentence. */
  readonly title: string;
  /** The level of the strongest requirement that it judges. */
  readonly level: Level;
  /** The part of the report that it stands in. */
  readonly section: Section;
  /** What an attacker can do where it fails. */
  readonly attack?: Attack;
  /** How it ended. */
  readonly status: Status;
  /** Ids of requirements. */
  readonly requirements: readonly string[];
  /** Where to read about it: `RFC 9728 §3.3`, `specification, Errors`; `sourceLink` knows where that is. */
  readonly sources: readonly string[];
  /** Why it fails or warns: at least one then, at most eight. */
  readonly findings: readonly Finding[];
  /** How many findings there are beyond these eight. */
  readonly moreFindings: number;
  /** Why it was skipped or could not be tested. */
  readonly reason?: string;
  /** The option that would have it judged, e.g. `--email`. */
  readonly needs?: string;
  /** The failed check that it rests on: it was not right either, of the same cause. */
  readonly restsOn?: string;
  /** How it ended by itself, where it was skipped afterwards because it rests on another one. */
  readonly ownStatus?: Exclude<Status, 'pass' | 'skip'>;
  /** The user did not want it judged: `--safe`. */
  readonly deselected?: true;
  /** The baseline lists it: the reason that stands there, which may be empty. */
  readonly known?: string;
}

/** A scenario as it ended, with its checks and what was sent. */
export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Its checks, in the order in which they were made. */
  readonly checks: readonly CheckResult[];
  /** What was sent and answered, redacted. */
  readonly exchanges: readonly Exchange[];
  /** Set where the target stopped answering: a sentence that names the last request. */
  readonly died?: string;
}

/** How many checks ended in which way. */
export type Counts = Readonly<Record<Status, number>>;

/**
 * Passed checks among those judged: passed, failed or warned, also where they were skipped because of a failure
 * that they rest on. So the score of a section is the same whether the others run or not. The level `may`
 * does not count.
 */
export interface Score {
  readonly passed: number;
  readonly judged: number;
  /** The checks that should have been judged and could not be. */
  readonly untestable: number;
}

/** The numbers of a report. */
export interface Summary {
  /** All checks by status. */
  readonly checks: Counts;
  /** The same for each level. */
  readonly byLevel: Readonly<Record<Level, Counts>>;
  /** How many of those judged passed, for each section. */
  readonly sections: Readonly<Record<Section, Score>>;
}

/**
 * `conforms_but`: all that fails is in the baseline. `inconclusive`: nothing fails, but a flow of the role's
 * core was not judged.
 */
export const OUTCOMES = ['conforms', 'conforms_but', 'does_not_conform', 'inconclusive'] as const;

/** A flow of the role's core that was not judged. */
export interface UnjudgedFlow {
  /** `a registration by email, claimed to its end`. */
  readonly story: string;
  /** A sentence. */
  readonly why: string;
  /** The option that would have it judged. */
  readonly option?: string;
}

/** What a report amounts to. */
export interface Verdict {
  /** The whole in one word. */
  readonly outcome: (typeof OUTCOMES)[number];
  /** How many failures the baseline lists. */
  readonly known: number;
  /** Ids of checks that the baseline lists and that pass now, or only warn. */
  readonly fixed: readonly string[];
  /** What has to be judged and was not. */
  readonly unjudged: readonly UnjudgedFlow[];
  /** The user selected what is judged: the verdict is of that alone. */
  readonly selectedOnly: boolean;
  /** The run was interrupted: the verdict is of what was judged until then. */
  readonly interrupted: boolean;
  /** Set where the target stopped answering, for good or not: sentences that name the requests. */
  readonly died?: string;
}

/**
 * Where a cause stands in a report, first to last. `attack`: what an attacker can do now. `missing`: what was
 * not judged, and has to be. `protocol`: what breaks agents. `ema`: what breaks cross-app access. `standards`:
 * what else fails. `known`: what the baseline lists.
 */
export const CAUSE_KINDS = [
  'attack',
  'missing',
  'protocol',
  'ema',
  'standards',
  'known',
  'warning',
] as const;
/** What kind of thing is wrong: one of {@link CAUSE_KINDS}. */
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** A thing that is wrong, or was not judged, however many checks it keeps from passing. */
export interface Cause {
  readonly kind: CauseKind;
  readonly status: Exclude<Status, 'pass'>;
  /** A sentence, or of an attack what can be done. */
  readonly title: string;
  readonly section: Section;
  readonly level: Level;
  readonly attack?: Attack;
  /** Ids of the checks that found it. The first one is the one that is told of. */
  readonly checks: readonly string[];
  /** Ids of the checks that were skipped because they rest on those. */
  readonly resting: readonly string[];
  readonly expected?: string;
  /** What was seen, or why it was not judged. */
  readonly seen?: string;
  /** The other checks that found it, each with what it saw first. */
  readonly also?: readonly { readonly check: string; readonly seen: string }[];
  /** How many findings there are beyond this one. */
  readonly moreFindings: number;
  /** The JWTs of the exchange that shows it. */
  readonly tokens?: readonly ShownToken[];
  /** The exchange that shows it: `anonymous`, 3. */
  readonly exchange?: { readonly scenario: string; readonly number: number };
  /** The line that repeats it in a POSIX shell: a request that stands alone, or a run. */
  readonly repeat?: string;
  /** Where what is broken can be read. */
  readonly sources: readonly SourceLink[];
  /** The option that would have it judged. */
  readonly option?: string;
  /** The reason in the baseline, which may be empty. */
  readonly known?: string;
}

/** A check that turned out otherwise than in an earlier run. */
export interface TurnedCheck extends Pick<CheckResult, 'id' | 'title'> {
  /** How it ended then. */
  readonly was: Status;
  /** How it ended now. */
  readonly now: Status;
}

/**
 * What changed since an earlier run, of the checks that both judged. `pass` and `warn` are right; `fail` and
 * `untestable` are not. What was skipped because it rests on another check counts as it ended by itself.
 */
export interface Since extends Pick<Report, 'version' | 'target' | 'startedAt'> {
  /** How many checks both runs judged. */
  readonly compared: number;
  /** Whether a check that was right then is not right now. */
  readonly worse: boolean;
  /** The checks that fail now and did not. */
  readonly failsNow: readonly TurnedCheck[];
  /** The checks that are right now and were not. */
  readonly passesNow: readonly TurnedCheck[];
}

/** The target of a report on an agent that nobody started: the option that has it watched. */
export const WATCHED = '--watch';

/** The results of a run. What `--json` prints, under `schema`. */
export interface Report {
  readonly schema: 'agent-auth.conformance/1';
  /** Version of this program. */
  readonly version: string;
  /** Whose implementation was judged. */
  readonly role: Role;
  /** What was judged: a URL, or a command line. */
  readonly target: string;
  /** The dialect in which a service was judged; left out where it registers no agents. */
  readonly dialect?: string;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  /** The seed of the names and values that the suite invented: the same seed makes the same ones. */
  readonly seed: number;
  /** What it amounts to. */
  readonly verdict: Verdict;
  /** Its numbers. */
  readonly summary: Summary;
  /** What changed since the report of `--since`. */
  readonly since?: Since;
  /** What is wrong or missing, one entry a cause, in the order in which it matters. */
  readonly causes: readonly Cause[];
  /** All that was run, with every check and every exchange. */
  readonly scenarios: readonly ScenarioResult[];
}
