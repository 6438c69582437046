import type { Secret } from '../../../runtime/index.ts';
import { jsonRequest } from '../../http/wire-requests.ts';
import type { ClaimForm } from '../../model.ts';
import type { ClaimEvidence, Claimer, ClaimRequest } from '../dialect.ts';

/**
 * The start of a claim. Its versions and deployments take the email address in four forms, and no document says
 * which: the form that worked before, else version 0.6's own; then, once, the one that the evidence is for. A
 * body with the members of several forms would be refused by whoever reads strictly.
 */
export function claimBodies(
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
  const inForm = (form: ClaimForm): ClaimRequest => ({
    ...jsonRequest(url, { claim_token, ...membersOf(form, claimer.email) }),
    form,
  });
  const first = evidence.form ?? 'email';
  const second = likelyForm(evidence, first);
  return [inForm(first), inForm(second)];
}

function membersOf(form: ClaimForm, email: string): Readonly<Record<string, string>> {
  switch (form) {
    case 'email':
      return { email };
    case 'login_hint':
      return { login_hint: email };
    case 'typed':
      return { type: 'login_hint', login_hint: email };
    case 'bare':
      return {};
  }
}

/** What the service is likely to take in place of `refused`: by its own words first. */
function likelyForm(evidence: ClaimEvidence, refused: ClaimForm): ClaimForm {
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
