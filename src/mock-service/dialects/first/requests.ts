import { invalidRequest } from '../../../mock/http/response.ts';
import { ID_JAG_TOKEN_TYPE } from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { identityRequest } from '../../../protocol/schemas/requests.ts';
import { isStorableText } from '../../../protocol/text.ts';
import type {
  ClaimRules,
  ClaimStart,
  Redemption,
  RegistrationRequest,
  RegistrationRules,
} from '../dialect.ts';
import { readAgentName } from '../parts/agent-name.ts';

/** The one kind of credential that there is (v0.1, `credential_types_supported`). */
export const CREDENTIAL_TYPE = 'api_key';

/** How a registration by email is asked for. */
export const EMAIL_ASSERTION = 'verified_email';

/** `POST` at `register_uri` (v0.1): an anonymous one has to say which credential it wants. */
export function readRegistration(
  members: JsonObject,
  { admit }: RegistrationRules,
): RegistrationRequest {
  const body = identityRequest.safeParse(members);
  if (!body.success) {
    throw invalidRequest(
      'identity',
      `${String(body.error.issues[0]?.path[0])} is missing or is not a string.`,
    );
  }
  const { assertion, assertion_type: kind, type } = body.data;
  const wanted = members['requested_credential_type'];
  if (wanted === undefined ? type === 'anonymous' : wanted !== CREDENTIAL_TYPE) {
    throw invalidRequest('identity', `requested_credential_type must be ${CREDENTIAL_TYPE}.`);
  }
  if (type === 'anonymous') {
    admit(type);
    return { type, agentName: readAgentName(body.data) };
  }
  if (type !== 'identity_assertion') throw invalidRequest('identity', 'The type is unknown.');
  if (kind !== EMAIL_ASSERTION && kind !== ID_JAG_TOKEN_TYPE) {
    throw invalidRequest('identity', 'The assertion_type is not supported.');
  }
  admit(kind === EMAIL_ASSERTION ? 'service_auth' : type);
  const agentName = readAgentName(body.data);
  if (assertion === undefined) throw invalidRequest('identity', 'assertion is missing.');
  return kind === EMAIL_ASSERTION
    ? { type: 'service_auth', hint: assertion, agentName }
    : { type, assertion, agentName };
}

/** `POST` at `claim_uri`: `claim_token`, and for an anonymous registration the `email` that the code goes to. */
export function readClaimStart(members: JsonObject, { readEmail }: ClaimRules): ClaimStart {
  const { claim_token: claimToken, email: given } = members;
  if (!isText(claimToken))
    throw invalidRequest('claim', 'claim_token is missing or is not a string.');
  if (given === undefined) return { claimToken, email: undefined };
  const email = isText(given) ? readEmail(given) : undefined;
  if (email === undefined) throw invalidRequest('claim', 'email is not an email address.');
  return { claimToken, email };
}

/** `claim_token` and `otp`. */
export function readRedemption(members: JsonObject): Redemption {
  const { claim_token: claimToken, otp: code } = members;
  if (!isText(claimToken))
    throw invalidRequest('read_back', 'claim_token is missing or is not a string.');
  if (!isText(code)) throw invalidRequest('read_back', 'otp is missing or is not a string.');
  return { claimToken, code };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isStorableText(value);
}
