import { type Context, readForm } from '../../mock/http/request.ts';
import { invalidRequest, json, wireProblem } from '../../mock/http/response.ts';
import { ID_TOKEN_TYPE } from '../../protocol/constants.ts';
import { isShortText, MAX_TEXT_BYTES } from '../../protocol/text.ts';
import { requireAgent, requireParameter } from '../checks/require-agent.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { type EventProblem, waitsElsewhere } from '../outbox/outbox-entry.ts';

/** The service knows the user from another issuer URL of this provider; only a provider there can notify it. */
const OTHER_ISSUER: EventProblem = { code: 'other_issuer' };

/**
 * `POST /oauth2/consents/revoke`: an agent revokes its user's consent to an audience, with the same
 * ID token that it mints with. No standard defines such an endpoint; the parameters are those of RFC 8693.
 */
export async function revokeByAgent(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'provider');
  requireAgent(c, form, provider);
  const audience = requireParameter(form, 'audience');
  if (!isShortText(audience)) {
    throw invalidRequest('provider', `audience is longer than ${MAX_TEXT_BYTES} bytes.`);
  }
  const subjectToken = requireParameter(form, 'subject_token');
  if (requireParameter(form, 'subject_token_type') !== ID_TOKEN_TYPE) {
    throw invalidRequest('provider', 'The subject_token_type is not supported.');
  }
  const session = await provider.idTokens.verify(subjectToken, provider.config.clientId);
  if (session === undefined) throw wireProblem('provider', 'invalid_grant');
  const { event, revoked } = await provider.revokeConsent(provider, {
    email: session.email,
    audience,
    actor: 'agent',
  });
  const { state = 'none' } = event ?? {};
  // It waits for a provider at its issuer URL.
  const isElsewhere = event !== undefined && waitsElsewhere(event, provider.config.issuer);
  const problem = isElsewhere ? OTHER_ISSUER : event?.problem;
  return json({
    audience,
    revoked,
    event: state,
    // Without the service's own words, which are untrusted.
    ...(problem && {
      event_problem: {
        code: problem.code,
        ...(problem.status !== undefined && { status: problem.status }),
      },
    }),
  });
}
