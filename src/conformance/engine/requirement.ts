import type { Level, Role } from './model.ts';

/** One entry of `fixtures/requirements/*.yaml`. */
export interface Requirement {
  readonly id: string;
  /** Who has to do it. */
  readonly role: Role;
  readonly level: Level;
  readonly description: string;
  readonly sources: readonly string[];
  /** The checks that judge it. */
  readonly checks?: readonly string[] | undefined;
  /** Why a black box cannot see it. */
  readonly untestable?: string | undefined;
  /** Where two sources disagree: which reading is judged, and which one only warns. */
  readonly clash?:
    | { readonly id: string; readonly judged: string; readonly other: string }
    | undefined;
}
