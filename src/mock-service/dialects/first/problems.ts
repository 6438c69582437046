import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../mock/http/envelopes.ts';
import { WireProblem } from '../../../mock/http/problems.ts';
import { json } from '../../../mock/http/replies.ts';
import type { Envelope } from '../../../mock/http/route.ts';
import { wireText } from '../../../protocol/text.ts';
import type { ProblemWire } from '../dialect.ts';

/** What v0.1 calls a problem, and its status there, where that differs. */
const CODES: Readonly<Record<string, readonly [code: string, status: number]>> = {
  'identity service_auth_not_enabled': ['verified_email_not_enabled', 400],
  'identity invalid_login_hint': ['invalid_request', 400],
  'read_back claim_not_started': ['otp_not_generated', 400],
  'read_back invalid_user_code': ['otp_invalid', 401],
  'read_back claim_attempt_expired': ['otp_expired', 410],
  'read_back already_claimed': ['previously_claimed', 409],
};

/**
 * `error` and `message`; the two 401s of a sign-in that is not enough have `error_description` instead. A 401 has
 * the challenge of the later versions: RFC 9110 §15.5.2 asks for one, and v0.1 names none.
 */
const envelope: Envelope = async (problem, request) => {
  const { code, description, headers: own, members, status, surface } = problem;
  const [error, answered] = CODES[`${surface} ${code}`] ?? [code, status];
  // The challenge names the code that the body has.
  const spelled = { surface, description, members, headers: own, code: error, status: answered };
  const { headers } = await registrationEnvelope(new WireProblem(spelled), request);
  const text = wireText(description);
  const isSignIn = error === 'interaction_required' || error === 'login_required';
  return json(
    { error, ...(isSignIn ? { error_description: text } : { message: text }), ...members },
    { status: answered, headers: Object.fromEntries(headers) },
  );
};

export const FIRST_PROBLEMS: ProblemWire = {
  registration: envelope,
  oauth: oauthEnvelope,
  event: eventEnvelope,
};
