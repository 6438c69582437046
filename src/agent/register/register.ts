import type { IdentityProof } from '../dialects/index.ts';
import { requireOwnMembers } from '../dialects/parts/own-members.ts';
import type { Service, Warning } from '../model.ts';
import type { ConsentRequired, LoginRequired, RegisterOutcome } from '../outcomes.ts';
import { checkIdJag } from '../provider/check-id-jag.ts';
import { requireUnderstood } from '../records/not-understood.ts';
import { requireEmail } from '../records/require-email.ts';
import type { RegisterRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { discoverAgain } from './discover-again.ts';
import { registerMinted } from './register-minted.ts';
import { type Among, reuseRegistration } from './reuse-registration.ts';
import { sendIdentity } from './send-identity.ts';
import { type Identified, settleRegistration, type WhoRegistered } from './settle-registration.ts';
import { typeNotOffered } from './type-not-offered.ts';

/** @param among which of the stored registrations `reuse` may take up. Default: any that fits. */
export async function register(
  given: Tools,
  request: RegisterRequest,
  among?: Among,
): Promise<RegisterOutcome> {
  const { members } = request;
  const tools = members === undefined ? given : { ...given, members: requireOwnMembers(members) };
  // Checked first: a registration that cannot be stored would be lost.
  await tools.store.probeWritable();
  const found =
    typeof request.service === 'string'
      ? await discoverAgain(tools, request.service, request.signal)
      : request.service;
  const { anew = false, reuse = false } = request;
  const known = reuse && !anew ? await reuseRegistration(tools, found, request, among) : undefined;
  if (known?.outcome !== undefined) return known.outcome;
  requireType(found.service, request);
  if (!anew) requireUnderstood(await tools.store.read(), found.service, request);
  const result = await identify(tools, found.service, request);
  if ('status' in result) return result;
  const warnings = [...found.warnings, ...result.warnings];
  const identified = { ...result, warnings, ended: known?.ended };
  return settleRegistration(tools, found.service, identified, request.signal);
}

async function identify(
  tools: Tools,
  service: Service,
  request: RegisterRequest,
): Promise<Identified | LoginRequired | ConsentRequired> {
  if (request.type === 'identity_assertion' && 'provider' in request) {
    return registerMinted(tools, service, request);
  }
  const { proof, who, warnings } = prepare(tools, service, request);
  const result = await sendIdentity(tools, service, proof, request.signal);
  return { result, who, warnings };
}

function prepare(
  tools: Tools,
  service: Service,
  request: Exclude<RegisterRequest, { readonly provider: string }>,
): { proof: IdentityProof; who: WhoRegistered; warnings: readonly Warning[] } {
  const { type } = request;
  switch (type) {
    case 'anonymous':
      return { proof: { type }, who: { type, email: null, provider: null }, warnings: [] };
    case 'service_auth': {
      const email = requireEmail(request.loginHint);
      return {
        proof: { type, loginHint: email },
        who: { type, email, provider: null },
        warnings: [],
      };
    }
    case 'identity_assertion': {
      const { assertion } = request;
      const facts = checkIdJag(assertion, service, peerOf(tools, service.issuer).now());
      const who = { type, email: facts.email, provider: facts.issuer };
      return { proof: { type, assertion }, who, warnings: facts.warnings };
    }
  }
}

/** @throws AgentError `type_not_supported`. */
function requireType(service: Service, { type, service: named }: RegisterRequest): void {
  if (service.identityTypes.includes(type)) return;
  throw typeNotOffered([type], service, typeof named === 'string' ? named : service.resource);
}
