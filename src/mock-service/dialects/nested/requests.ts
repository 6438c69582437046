import { invalidRequest } from '../../../mock/http/response.ts';
import { ID_JAG_TOKEN_TYPE } from '../../../protocol/constants.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type {
  ClaimRules,
  ClaimStart,
  Redemption,
  RegistrationRequest,
  RegistrationRules,
} from '../dialect.ts';
import { readAgentName } from '../parts/agent-name.ts';
import { refreshed } from './answers.ts';

/** `POST /agent/identity`, to register or to go on with a refresh token. */
export function readRegistration(
  members: JsonObject,
  { admit }: RegistrationRules,
): RegistrationRequest {
  const type = requireMember('identity', members, 'type');
  if (type === 'refresh') {
    const refreshToken = requireMember('identity', members, 'refresh_token');
    return { type, refreshToken, agentName: undefined, write: refreshed };
  }
  const name = () =>
    readAgentName({
      type,
      agent_name: readMember('identity', members, 'agent_name'),
      client_name: readMember('identity', members, 'client_name'),
    });
  switch (type) {
    case 'anonymous':
      admit(type);
      return { type, agentName: name() };
    case 'service_auth':
      admit(type);
      return {
        type,
        agentName: name(),
        hint: requireMember('identity', members, 'login_hint'),
      };
    case 'identity_assertion': {
      admit(type);
      const kind = readMember('identity', members, 'assertion_type') ?? ID_JAG_TOKEN_TYPE;
      if (kind !== ID_JAG_TOKEN_TYPE) {
        throw invalidRequest('identity', 'The assertion_type is not supported.');
      }
      return {
        type,
        agentName: name(),
        assertion: requireMember('identity', members, 'assertion'),
      };
    }
    default:
      throw invalidRequest('identity', 'The type is unknown.');
  }
}

/** `POST /agent/identity/claim`: by the email of its user alone. */
export function readClaimStart(members: JsonObject, { readEmail }: ClaimRules): ClaimStart {
  if (requireMember('claim', members, 'type') !== 'service_auth') {
    throw invalidRequest('claim', 'The type of a claim is service_auth.');
  }
  const claimToken = requireMember('claim', members, 'claim_token');
  const hint = readMember('claim', members, 'login_hint');
  if (!hint) return { claimToken, email: undefined };
  const email = readEmail(hint);
  if (email === undefined) throw invalidRequest('claim', 'login_hint is not an email address.');
  return { claimToken, email };
}

/** `POST /agent/identity/claim/complete`: the code that the user read back. */
export function readRedemption(members: JsonObject): Redemption {
  return {
    claimToken: requireMember('read_back', members, 'claim_token'),
    code: requireMember('read_back', members, 'user_code'),
  };
}

type RequestSurface = 'identity' | 'claim' | 'read_back';

/**
 * The text of a member; undefined when it is missing.
 * @throws WireProblem `invalid_request` when it is something else than text.
 */
function readMember(
  surface: RequestSurface,
  members: JsonObject,
  name: string,
): string | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidRequest(surface, `The member ${name} is not a string.`);
}

/** The same of a member that has to be there, and not empty. */
function requireMember(surface: RequestSurface, members: JsonObject, name: string): string {
  const value = readMember(surface, members, name);
  if (value) return value;
  throw invalidRequest(surface, `The member ${name} is missing.`);
}
