import { type IdJagUser, idJagUser } from '../dialects/id-jag-user.ts';
import { DIALECTS, type IdentityProof } from '../dialects/index.ts';
import { sendPatiently } from '../http/send-patiently.ts';
import type { Service } from '../model.ts';
import { keepIfLost, readOrKeep } from '../records/keep-answer.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type IdentityResult, processIdentity } from './identity-result.ts';

/**
 * Posts to the identity endpoint and judges the answer.
 * @throws AgentError `unreachable` or `broken_off` after the last try; for an ID-JAG after the first,
 *   because the service may have taken it.
 * @param isLast nothing is tried after this: the beginning of an answer that was lost is kept.
 */
export async function sendIdentity(
  tools: Tools,
  service: Service,
  proof: IdentityProof,
  signal: AbortSignal | undefined,
  isLast = true,
): Promise<IdentityResult> {
  const peer = peerOf(tools, service.issuer);
  const { type } = proof;
  const { issuer, resource, name } = service;
  const origin = { issuer, resource, name, of: 'registration', type, ...userOf(proof) } as const;
  const request = DIALECTS[service.dialect].encodeIdentity(service, proof);
  const send = () =>
    sendPatiently(tools.context, peer, request, {
      signal,
      repeatAfterLoss: type !== 'identity_assertion',
    });
  const answer = await (isLast ? keepIfLost(tools, origin, send) : send());
  return readOrKeep(
    tools,
    answer,
    origin,
    () => processIdentity(tools.policy, service, proof, answer, answer.sentAt),
    ({ kind }) => kind !== 'registered' && kind !== 'interaction_required',
  );
}

function userOf(proof: IdentityProof): Partial<IdJagUser> {
  switch (proof.type) {
    case 'anonymous':
      return {};
    case 'service_auth':
      return { email: proof.loginHint };
    case 'identity_assertion':
      return idJagUser(proof.assertion);
  }
}
