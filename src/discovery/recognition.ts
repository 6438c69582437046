import type { IdentityType } from '../protocol/index.ts';
import type {
  Choice,
  DocumentName,
  EmailForm,
  Endpoints,
  Evidence,
  FamilyId,
  Hint,
  Offer,
  Role,
  Verdict,
} from './model.ts';
import type { Defect } from './rules/find-defects.ts';

/** What the documents of a service amount to: a verdict, what led to it, and what is wrong in them. */
export interface Recognition {
  /** What agents can do there. */
  readonly verdict: Verdict;
  /** The reason in a sentence, made safe to show. */
  readonly reason: string;
  /** Candidates, the most likely first; empty but for `usable` and `choice`. */
  readonly families: readonly FamilyId[];
  /** What to choose from: with `choice`. */
  readonly choices: readonly Choice[];
  /** Where the block was found. */
  readonly foundIn: DocumentName | undefined;
  /** The issuer of the authorization server. */
  readonly issuer: string | undefined;
  /** The resource as the server's metadata names it. */
  readonly serverResource: string | undefined;
  /** Its own name. */
  readonly name: string | undefined;
  /** Where what is done. */
  readonly endpoints: Endpoints;
  /** The types of registration, in our words. */
  readonly identityTypes: readonly IdentityType[];
  /** What a registration by `identity_assertion` may hand over. */
  readonly assertionTypes: readonly string[];
  /** How it takes an email address. */
  readonly emailForm: EmailForm | undefined;
  /** The grant that a claim is polled with. */
  readonly claimGrantType: string | undefined;
  /** All scopes that it lists. */
  readonly scopes: readonly string[];
  /** What a registration may give. */
  readonly credentialTypes: readonly string[];
  /** The header field that a credential is sent in, where the service says another than `Authorization`. */
  readonly credentialHeader: string | undefined;
  /** Members that the service says it wants in a registration. */
  readonly wantedMembers: readonly string[];
  /** What led to the verdict. */
  readonly evidence: readonly Evidence[];
  /** The rules of the table that the documents break, the worst first. */
  readonly defects: readonly Defect[];
  /** What holds of the document of a client, in sentences: the rules on it that are kept. */
  readonly held: readonly string[];
  /** The documents say of themselves that nobody registers: that is no mistake. */
  readonly isHonest: boolean;
  /** What it is instead, where no agents register. */
  readonly role: Role | undefined;
  /** What OAuth alone offers. */
  readonly offers: readonly Offer[];
  /** URLs in the text of a skill file that no metadata confirms: nothing is sent to them. */
  readonly hints: readonly Hint[];
}
