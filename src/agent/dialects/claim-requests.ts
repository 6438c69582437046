import type { Secret } from '../../runtime/index.ts';
import type { Problem } from '../agent-error.ts';
import type { WireRequest } from '../http/peer.ts';
import { jsonRequest } from '../http/wire-requests.ts';
import type { ClaimForm, DialectId } from '../model.ts';

/** Who takes a registration over. */
export type Claimer =
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'identity_assertion'; readonly assertion: Secret };

/** A body that starts a claim; its form is remembered where the service took it. */
export interface ClaimRequest extends WireRequest {
  readonly form?: ClaimForm;
}

/** What tells in which form a service takes the start of a claim. */
export interface ClaimEvidence {
  /** The form that it took before. */
  readonly form: ClaimForm | undefined;
  /** What it said to the first body. */
  readonly refusal?: Problem;
  readonly claimGrantType: string | undefined;
  /** Whether it has the email address already. */
  readonly onRecord: boolean;
}

/** `undefined`: the form of the reconciled version, which no other has. */
type Form = ClaimForm | undefined;

/**
 * The start of a claim. Versions and deployments take the email address in several forms, and no document says
 * which: the form that worked before, else the dialect's own; then, where that is an `invalid_request`, once the one
 * that the evidence is for. A body with the members of several forms would be refused by whoever reads strictly.
 */
export function claimRequests(
  dialect: DialectId,
  url: string,
  claimToken: Secret,
  claimer: Claimer,
  evidence: ClaimEvidence,
): readonly [ClaimRequest, ClaimRequest?] {
  const claim_token = claimToken.reveal();
  if (claimer.by === 'identity_assertion') {
    // No second: an ID-JAG is sent once.
    const assertion = claimer.assertion.reveal();
    return [jsonRequest(url, { claim_token, type: 'identity_assertion', assertion })];
  }
  const inForm = (form: Form): ClaimRequest => ({
    ...jsonRequest(url, { claim_token, ...membersOf(form, claimer.email) }),
    ...(form !== undefined && { form }),
  });
  const own = dialect === 'nested' ? undefined : 'email';
  const first = evidence.form ?? own;
  return [inForm(first), inForm(otherForm(dialect, evidence, first))];
}

function otherForm(dialect: DialectId, evidence: ClaimEvidence, refused: Form): Form {
  switch (dialect) {
    case 'flat':
      return likelyForm(evidence, refused);
    case 'first':
      return refused === 'login_hint' ? 'email' : 'login_hint';
    case 'nested':
      return refused === undefined ? 'email' : undefined;
  }
}

function membersOf(form: Form, email: string): Readonly<Record<string, string>> {
  switch (form) {
    case 'email':
      return { email };
    case 'login_hint':
      return { login_hint: email };
    case 'typed':
      return { type: 'login_hint', login_hint: email };
    case 'bare':
      return {};
    case undefined:
      return { type: 'service_auth', login_hint: email };
  }
}

/** What the service is likely to take in place of `refused`: by its own words first. */
function likelyForm(evidence: ClaimEvidence, refused: Form): Form {
  const { refusal, claimGrantType = '', onRecord } = evidence;
  const words = refusal?.description ?? '';
  const likely: readonly (ClaimForm | false)[] = [
    // Version 0.7 tells its bodies apart by `type`, and names that member when it is missing.
    NAMES_TYPE.test(words) && 'typed',
    (/\blogin_hint\b/.test(words) || TOKEN_GRANT.test(claimGrantType)) && 'login_hint',
    // One that knows its user may want the token alone for another code.
    onRecord && 'bare',
    'typed',
    'email',
  ];
  return likely.find((form) => form !== false && form !== refused) || 'email';
}

/** A `type` of the body, not the one of a grant, a token or a medium. */
const NAMES_TYPE = /(?<![\w-])(?<!(?:content|media|grant|token|mime)[ -])type\b(?!s)/i;
/** The ending of the grant at the service that takes `login_hint` without a type. */
const TOKEN_GRANT = /:grant-type:claim_token$/;
