import type { Found } from '../find-block.ts';
import type { IdentityTypes } from '../identity-types.ts';
import type { UrlJudgement } from '../judge-url.ts';
import type { Choice, Defect, Evidence, FamilyId, Hint, Offer, Verdict } from '../model.ts';
import type { RegisterMember } from '../register-url.ts';

/** What a verdict is reached from. */
export interface Question {
  readonly found: Found;
  readonly registers: readonly RegisterMember[];
  readonly types: IdentityTypes;
  readonly offers: readonly Offer[];
  readonly hints: readonly Hint[];
  readonly family: FamilyId | undefined;
}

/** A verdict, and what led to it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly families: readonly FamilyId[];
  readonly choices: readonly Choice[];
  readonly evidence: readonly Evidence[];
  readonly defects: readonly Defect[];
  readonly chosen: RegisterMember | undefined;
  readonly register: string | undefined;
}

/** A member that names where to register, and what is to be thought of it. */
export interface Judged {
  readonly member: RegisterMember;
  readonly judgement: UrlJudgement;
}

/** What a verdict without families has. */
export const UNDECIDED = {
  families: [],
  choices: [],
  evidence: [],
  defects: [],
  chosen: undefined,
  register: undefined,
};
