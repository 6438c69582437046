/** RFC 8628 on the wire: requests, and what their answers amount to. */
import {
  anyInterval,
  DEVICE_CODE_GRANT,
  decodeJwt,
  deviceAuthorizationResponse,
  deviceTokenResponse,
  displayText,
} from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { WireRequest } from '../http/peer.ts';
import { readCeremony } from '../http/read-ceremony.ts';
import { readMembers, readSecret } from '../http/read-members.ts';
import { formRequest } from '../http/wire-requests.ts';
import type { ClaimAttempt, ProviderSession } from '../model.ts';
import type { PollOutcome } from '../polling/next-poll.ts';
import { readPollProblem } from '../polling/poll-problem.ts';
import { problemError } from '../problems/problem-error.ts';
import { readProblem } from '../problems/read-problem.ts';
import { AGENT_CLIENT_ID } from './client-id.ts';
import type { Provider } from './provider.ts';

const SIGN_IN_ENDPOINT = "The provider's sign-in endpoint";
const TOKEN_ENDPOINT = "The provider's token endpoint";
const deviceAuthorization = deviceAuthorizationResponse
  .partial({ expires_in: true })
  .extend({ interval: anyInterval });

export interface DeviceSignIn {
  readonly deviceCode: Secret;
  readonly attempt: Omit<ClaimAttempt, 'ended'>;
}

export type NewSession = Omit<ProviderSession, 'clockOffset'>;

/** Seconds. What asks for no more than this asks for nothing, whatever a peer wrote. */
const LONGEST_AGE = 999_999_999;

/** How fresh the user's sign-in has to be (OpenID Connect Core §3.1.2.1); a provider may not know it. */
export interface Freshness {
  readonly prompt?: 'login' | undefined;
  /** Seconds. */
  readonly maxAge?: number | undefined;
}

export function deviceAuthorizationRequest(
  url: string,
  { maxAge, prompt }: Freshness,
): WireRequest {
  return formRequest(url, {
    client_id: AGENT_CLIENT_ID,
    scope: 'openid email',
    prompt,
    max_age: maxAge === undefined ? undefined : String(Math.min(Math.floor(maxAge), LONGEST_AGE)),
  });
}

/** @throws AgentError of the provider's refusal, or of an unusable answer. */
export function processDeviceAuthorization(answer: Answer, now: number): DeviceSignIn {
  const problem = readProblem(answer, 'provider', now);
  if (problem !== undefined) throw problemError(problem);
  const members = readMembers(answer, SIGN_IN_ENDPOINT, deviceAuthorization);
  return {
    deviceCode: readSecret(answer, SIGN_IN_ENDPOINT, 'device_code', members.device_code),
    attempt: readCeremony(answer, SIGN_IN_ENDPOINT, members, now),
  };
}

export function deviceTokenRequest(url: string, deviceCode: Secret): WireRequest {
  return formRequest(url, {
    grant_type: DEVICE_CODE_GRANT,
    device_code: deviceCode.reveal(),
    client_id: AGENT_CLIENT_ID,
  });
}

export function processDeviceToken(
  provider: Provider,
  answer: Answer,
  now: number,
): PollOutcome<NewSession> {
  const problem = readProblem(answer, 'provider', now);
  if (problem === undefined) return { kind: 'done', value: readSession(provider, answer) };
  return readPollProblem(problem);
}

/**
 * The session in a device grant's answer. It came from the provider itself over TLS, so its signature
 * need not be checked (OpenID Connect Core §3.1.3.7); whose it is and for whom must be.
 */
function readSession(provider: Provider, answer: Answer): NewSession {
  const members = readMembers(answer, TOKEN_ENDPOINT, deviceTokenResponse);
  const idToken = readSecret(answer, TOKEN_ENDPOINT, 'id_token', members.id_token);
  const claims = decodeJwt(idToken.reveal())?.payload;
  const audiences: readonly unknown[] = [claims?.['aud']].flat();
  if (claims?.['iss'] !== provider.issuer || !audiences.includes(AGENT_CLIENT_ID)) {
    throw new AgentError(
      'The provider answered with an ID token that is not its own, or not for this agent.',
      {
        code: 'bad_answer',
      },
    );
  }
  const { exp, email, sub } = claims;
  const account = typeof email === 'string' ? email : sub;
  return {
    issuer: provider.issuer,
    idToken,
    expiresAt: typeof exp === 'number' ? exp * 1000 : null,
    account: typeof account === 'string' ? displayText(account, 254) : null,
  };
}
