import type { FamilyId } from '../model.ts';

/** What an answer holds that an agent can go on with. */
export type Given = 'assertion' | 'credential' | 'token' | 'refresh' | 'claim';

/**
 * Who gives the code to whom: the user types the agent's code on a page; or reads one back to the agent, from
 * a page or from a mail.
 */
export type Direction = 'type_there' | 'read_back_page' | 'read_back_mailbox';

/** The error of an answer, under the name that this program knows it by. */
export interface AnswerError {
  readonly code: string;
  /** As the service spells it, made safe to show. */
  readonly stated: string;
  readonly text: string | undefined;
}

/** What one answer of a service shows, by its members alone. */
export interface AnswerRecognition {
  /** The families whose members it has, the plainest first; empty where it has none of any. */
  readonly families: readonly FamilyId[];
  readonly gives: readonly Given[];
  /** `undefined`: no claim attempt is open yet, or none is needed. */
  readonly direction: Direction | undefined;
  readonly error: AnswerError | undefined;
  /** Why nothing in it can be used; `undefined` where something can, or where it is an error. */
  readonly nothing: string | undefined;
  /** Something that the families here do not have, as a sentence each. */
  readonly remarks: readonly string[];
}
