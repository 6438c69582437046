import { consentRevocationResponse, displayText, ID_TOKEN_TYPE } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { readMembers } from '../http/read-members.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import type { ProviderRevokeOutcome } from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import type { ProviderRevokeRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { loginRequired, openSession } from './open-session.ts';

const WHO = "The provider's revocation endpoint";

export async function providerRevoke(
  tools: Tools,
  { provider: named, audience }: ProviderRevokeRequest,
): Promise<ProviderRevokeOutcome> {
  const opened = await openSession(tools, { provider: named });
  if ('status' in opened) return opened;
  const { client, peer, provider, session } = opened;
  const url = provider.consentRevocationEndpoint;
  if (url === undefined) {
    throw new AgentError(
      `${displayText(provider.issuer, 100)} offers no request that revokes a consent: the user revokes it on the provider's own pages.`,
      { code: 'not_offered' },
    );
  }
  const party = { ...provider, tokenEndpoint: url };
  const request = await clientRequest(tools, party, client, {
    audience,
    subject_token: session.idToken.reveal(),
    subject_token_type: ID_TOKEN_TYPE,
  });
  // Revoking twice is revoking once.
  const answer = await sendPatiently(tools, peer, request, { repeatAfterLoss: true });
  const { issuer } = provider;
  const problem = readProblem(answer, 'provider');
  if (problem?.move === 'sign_in') {
    return loginRequired(issuer, 'provider', { maxAge: problem.maxAge });
  }
  if (problem !== undefined) throw problemError(problem);
  const members = readMembers(answer, WHO, consentRevocationResponse);
  if (members.audience !== audience) {
    throw new AgentError('The provider answered for an audience other than the one requested.', {
      code: 'bad_answer',
    });
  }
  const { event, event_problem: eventProblem, revoked } = members;
  return {
    status: revoked ? 'revoked' : 'no_consent',
    provider: issuer,
    audience,
    event,
    eventProblem: eventProblem && {
      code: displayText(eventProblem.code, 64),
      status: eventProblem.status,
    },
  };
}
