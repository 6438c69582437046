import { ID_JAG_TOKEN_TYPE, JWT_BEARER_GRANT } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { Problem } from '../agent-error.ts';
import type { WireRequest } from '../http/peer.ts';
import { formRequest, jsonRequest } from '../http/wire-requests.ts';
import type { ClaimForm, DialectId, ReadBackAttempt, Service } from '../model.ts';
import type { IdentityProof } from './dialect.ts';

type Members = Readonly<Record<string, string>>;

/**
 * A registration.
 * @param name what the agent calls itself. A strict service refuses what it does not know: without one there is no
 *   member for it.
 */
export function identityRequest(
  dialect: DialectId,
  service: Service,
  proof: IdentityProof,
  name: string | undefined,
): WireRequest {
  return jsonRequest(service.identityEndpoint, {
    ...identityBody(dialect, service, proof),
    ...(dialect === 'first' && credentialType(service)),
    ...(name !== undefined && { client_name: name }),
  });
}

function identityBody(
  dialect: DialectId,
  { emailForm }: Pick<Service, 'emailForm'>,
  proof: IdentityProof,
): Members {
  switch (proof.type) {
    case 'anonymous':
      return { type: 'anonymous' };
    case 'service_auth':
      return emailBody(dialect === 'first' ? emailForm : 'service_auth', proof.loginHint);
    case 'identity_assertion':
      return {
        type: 'identity_assertion',
        assertion_type: ID_JAG_TOKEN_TYPE,
        assertion: proof.assertion.reveal(),
      };
  }
}

function emailBody(form: Service['emailForm'], email: string): Members {
  switch (form) {
    case 'service_auth':
      return { type: 'service_auth', login_hint: email };
    case 'verified_email_type':
      return { type: 'verified_email', email };
    case 'verified_email_assertion':
    case undefined:
      return { type: 'identity_assertion', assertion_type: 'verified_email', assertion: email };
  }
}

/** What kind of credential is wanted, where a service gives one or says that it may be asked for. */
function credentialType({ credentialTypes = [], tokenEndpoint }: Service): Members {
  const wanted = credentialTypes.includes('api_key')
    ? 'api_key'
    : credentialTypes.find((type) => type !== 'none');
  // Without a token endpoint there is no other way to be given one (version 0.1, where it is required).
  const type = wanted ?? (tokenEndpoint === undefined ? 'api_key' : undefined);
  return type === undefined ? {} : { requested_credential_type: type };
}

/**
 * Hands in a code that the user read back. Its name is `user_code`; the first versions call it `otp`, but for
 * services that name the URL for it in their answer (`complete_url`). The other name is tried once, after
 * `invalid_request` alone: a strict service refuses both in one body, and a code that it did not read is not used up.
 */
export function codeRequests(
  dialect: DialectId,
  url: string,
  claimToken: Secret,
  code: Secret,
  { submitUrl }: Pick<ReadBackAttempt, 'submitUrl'>,
): readonly [WireRequest, WireRequest] {
  const claim_token = claimToken.reveal();
  const otp = jsonRequest(url, { claim_token, otp: code.reveal() });
  const userCode = jsonRequest(url, { claim_token, user_code: code.reveal() });
  return dialect === 'first' && submitUrl === null ? [otp, userCode] : [userCode, otp];
}

export function claimPollRequest(
  tokenEndpoint: string,
  claimGrantType: string,
  claimToken: Secret,
): WireRequest {
  return formRequest(tokenEndpoint, {
    grant_type: claimGrantType,
    claim_token: claimToken.reveal(),
  });
}

/**
 * `resource` binds the token to the one place where it is used (RFC 8707 §2): a resource that names another
 * service's authorization server gets no token of that server's.
 */
export function exchangeRequest(
  tokenEndpoint: string,
  resource: string,
  assertion: Secret,
): WireRequest {
  return formRequest(tokenEndpoint, {
    grant_type: JWT_BEARER_GRANT,
    assertion: assertion.reveal(),
    resource,
  });
}

/** Gets the next assertion (the reconciled version). */
export function refreshRequest({ identityEndpoint }: Service, refresh: Secret): WireRequest {
  return jsonRequest(identityEndpoint, { type: 'refresh', refresh_token: refresh.reveal() });
}

export function revocationRequest(url: string, token: Secret): WireRequest {
  return formRequest(url, { token: token.reveal(), token_type_hint: 'access_token' });
}

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
