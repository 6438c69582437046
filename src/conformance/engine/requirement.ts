import type { Gain, Level, Role, Section } from './model.ts';

/** One entry of `fixtures/requirements/*.yaml`. */
export interface Requirement {
  /** Stable: reports and baselines name it. */
  readonly id: string;
  /** Whom it binds. */
  readonly role: Role;
  /** How much it demands. */
  readonly level: Level;
  /** Default: by its sources. */
  readonly section?: Section | undefined;
  /** What has to hold, as a sentence. */
  readonly description: string;
  /** Of an attack: what it brings whoever succeeds with it. */
  readonly gain?: Gain | undefined;
  /** What an attacker can do where it is broken: a sentence without its subject. */
  readonly can?: string | undefined;
  /** Where that is said: sections of RFCs, drafts and our own pages. */
  readonly sources: readonly string[];
  /** The checks that judge it. */
  readonly checks?: readonly string[] | undefined;
  /** The rules of passive judging that see it broken in traffic that others make. */
  readonly rules?: readonly string[] | undefined;
  /** Why it cannot be tested from outside. */
  readonly untestable?: string | undefined;
  /** Where two sources disagree: the reading that is judged, and the other one, which only warns. */
  readonly clash?:
    | { readonly id: string; readonly judged: string; readonly other: string }
    | undefined;
}
