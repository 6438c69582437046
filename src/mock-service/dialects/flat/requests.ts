import { invalidRequest, type WireProblem } from '../../../mock/http/response.ts';
import { ID_JAG_TOKEN_TYPE } from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import {
  type ClaimRequest,
  claimRequest,
  type IdentityRequest,
  identityRequest,
} from '../../../protocol/schemas/requests.ts';
import type { ClaimRules, ClaimStart, RegistrationRequest, RegistrationRules } from '../dialect.ts';
import { readAgentName } from '../parts/agent-name.ts';

/** `POST /agent/identity` (wire contract §3). */
export function readRegistration(
  members: JsonObject,
  { admit }: RegistrationRules,
): RegistrationRequest {
  const body = identityRequest.safeParse(members);
  if (!body.success) throw unreadable('identity', body.error.issues);
  const request = readOlderForm(body.data);
  if (request === undefined)
    throw invalidRequest('identity', 'The assertion_type is not supported.');
  const { assertion, login_hint: hint, type } = request;
  switch (type) {
    case 'anonymous':
      admit(type);
      return { type, agentName: readAgentName(body.data) };
    case 'service_auth': {
      admit(type);
      const agentName = readAgentName(body.data);
      if (hint === undefined) throw invalidRequest('identity', 'login_hint is missing.');
      return { type, hint, agentName };
    }
    case 'identity_assertion': {
      admit(type);
      const agentName = readAgentName(body.data);
      if (assertion === undefined) throw invalidRequest('identity', 'assertion is missing.');
      return { type, assertion, agentName };
    }
    default:
      throw invalidRequest('identity', 'The type is unknown.');
  }
}

/** `POST /agent/identity/claim` (wire contract §4). */
export function readClaimStart(members: JsonObject, rules: ClaimRules): ClaimStart {
  const body = claimRequest.safeParse(members);
  if (!body.success) throw unreadable('claim', body.error.issues);
  return { claimToken: body.data.claim_token, email: emailOf(body.data, rules) };
}

/** `login_hint` is read as `email`; an empty one is none. */
function emailOf(
  { email, login_hint: hint }: ClaimRequest,
  { readEmail }: ClaimRules,
): string | undefined {
  const given = [email, hint].filter((value) => value !== undefined && value !== '');
  const emails = given.map((value = '') => readEmail(value));
  if (emails.includes(undefined)) throw invalidRequest('claim', 'email is not an email address.');
  if (new Set(emails).size > 1) throw invalidRequest('claim', 'email and login_hint differ.');
  return emails[0];
}

function unreadable(
  surface: 'identity' | 'claim',
  [first]: readonly { readonly path: readonly PropertyKey[] }[],
): WireProblem {
  return invalidRequest(
    surface,
    `The member ${String(first?.path[0])} is missing or is not a string.`,
  );
}

/**
 * Clients of older revisions sent an email as `assertion` with the type `verified_email`: read as a
 * hint (wire contract §3). Undefined for any other `assertion_type` than that and an ID-JAG's.
 */
function readOlderForm(request: IdentityRequest): IdentityRequest | undefined {
  const { type, assertion_type: kind, assertion, login_hint } = request;
  if (type !== 'identity_assertion' || kind === undefined || kind === ID_JAG_TOKEN_TYPE) {
    return request;
  }
  if (kind !== 'verified_email') return undefined;
  const hint = assertion ?? login_hint;
  return { type: 'service_auth', ...(hint !== undefined && { login_hint: hint }) };
}
