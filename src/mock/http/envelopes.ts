import { buildChallenge } from '../../protocol/challenge.ts';
import { wireText } from '../../protocol/text.ts';
import type { Envelope } from './request.ts';
import { json, type WireProblem } from './response.ts';

/** `/agent/identity` and the claim endpoint (wire contract §3): `message` is for older clients. */
export const registrationEnvelope: Envelope = (problem) => {
  const description = wireText(problem.description);
  return json(
    {
      error: problem.code,
      error_description: description,
      message: description,
      ...problem.members,
    },
    { status: problem.status, headers: { ...agentAuthChallenge(problem), ...problem.headers } },
  );
};

/** A 401 carries a challenge (RFC 9110 §15.5.2); `AgentAuth` is this protocol's own scheme. */
function agentAuthChallenge({ status, code, members }: WireProblem): Record<string, string> {
  if (status !== 401) return {};
  const { max_age } = members;
  return {
    'www-authenticate': buildChallenge('AgentAuth', {
      error: code,
      max_age: typeof max_age === 'number' ? max_age : undefined,
    }),
  };
}

/** Token, revocation and device endpoints, protected resources (RFC 6749 §5.2). */
export const oauthEnvelope: Envelope = (problem, request) =>
  json(
    {
      error: problem.code,
      error_description: wireText(problem.description),
      ...problem.members,
    },
    {
      status: problem.status,
      headers: { ...clientChallenge(problem, request), ...problem.headers },
    },
  );

/** The challenge names the scheme that the client used (RFC 6749 §5.2). */
function clientChallenge({ status, code }: WireProblem, request: Request): Record<string, string> {
  if (status !== 401) return {};
  const used = /^(basic|bearer)(?![^ ])/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const scheme = used?.toLowerCase() === 'bearer' ? 'Bearer' : 'Basic';
  return { 'www-authenticate': buildChallenge(scheme, { realm: 'oauth2', error: code }) };
}

/** `/agent/event/notify` (RFC 8935 §2.3). */
export const eventEnvelope: Envelope = (problem) =>
  json(
    {
      // RFC 8935 §2.4 has no code for an unknown path.
      err: problem.code === 'not_found' ? 'invalid_request' : problem.code,
      description: wireText(problem.description),
      ...problem.members,
    },
    { status: problem.status, headers: { 'content-language': 'en', ...problem.headers } },
  );
