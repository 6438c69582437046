import { ID_JAG_TOKEN_TYPE, JWT_BEARER_GRANT } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import type { WireRequest } from '../http/peer.ts';
import { formRequest, jsonRequest } from '../http/wire-requests.ts';
import type { DialectId, ReadBackAttempt, Service } from '../model.ts';
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
