import { IDENTITY_TYPES } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { IdentityProof } from '../dialects/dialect.ts';
import { requireOwnMembers } from '../dialects/own-members.ts';
import { discover } from '../discovery/discover.ts';
import { dialectIn } from '../discovery/reach-service.ts';
import type { Discovery, Registration, Service, Warning } from '../model.ts';
import type { ConsentRequired, LoginRequired, Registered, RegisterOutcome } from '../outcomes.ts';
import { checkIdJag, type MintRequest, userNeeded, withIdJag } from '../provider/id-jag.ts';
import type { AtService } from '../records/at-service.ts';
import { requireUnderstood } from '../records/not-understood.ts';
import { typeNotOffered } from '../records/register-step.ts';
import { requireEmail } from '../records/require-email.ts';
import { findServiceRecord } from '../records/select-service.ts';
import type { RegisterRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type Among, reuseRegistration } from './reuse-registration.ts';
import { sendIdentity } from './send-identity.ts';
import { type Identified, settleRegistration, type WhoRegistered } from './settle-registration.ts';

/** @param among which of the stored registrations `reuse` may take up. Default: any that fits. */
export async function register(
  given: Tools,
  request: RegisterRequest,
  among?: Among,
): Promise<RegisterOutcome> {
  requireRegistration(request);
  const { members } = request;
  const tools = members === undefined ? given : { ...given, members: requireOwnMembers(members) };
  // Checked first: a registration that cannot be stored would be lost.
  await tools.store.probeWritable();
  const found =
    typeof request.service === 'string'
      ? await discoverAgain(tools, request.service)
      : request.service;
  const { anew = false, reuse = false } = request;
  if (!reuse || anew) return registerNow(tools, found, request, []);
  const known = await reuseRegistration(tools, found, request, among);
  if (known.outcome !== undefined) return known.outcome;
  const { issuer, resource } = found.service;
  const { signal } = tools;
  const name = JSON.stringify([issuer, resource, request.type]);
  const release = await tools.store.lock(name, { signal });
  try {
    // Whoever held the lock may have registered: what they stored is checked at its service, too.
    const { ended, outcome } = await reuseRegistration(tools, found, request, among);
    const gone = [...known.ended, ...ended];
    if (outcome !== undefined) return { ...outcome, ended: gone };
    return await registerNow(tools, found, request, gone);
  } finally {
    await release();
  }
}

async function registerNow(
  tools: Tools,
  { service, warnings: found }: Discovery,
  request: RegisterRequest,
  ended: readonly Registration[],
): Promise<RegisterOutcome> {
  requireType(service, request);
  if (!request.anew) requireUnderstood(await tools.store.read(), service, request);
  const result = await identify(tools, service, request);
  if ('status' in result) return result;
  const identified = { ...result, warnings: [...found, ...result.warnings], ended };
  return settleRegistration(tools, service, identified);
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
  const result = await sendIdentity(tools, service, proof);
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
      const { email, issuer: provider } = facts;
      const who = { type, email, provider, assertionGiven: true } as const;
      return { proof: { type, assertion }, who, warnings: facts.warnings };
    }
  }
}

/** What a caller without types left out. @throws TypeError */
function requireRegistration(request: unknown): void {
  const { service, type, loginHint, assertion, provider }: Record<string, unknown> =
    Object(request);
  const missing = (what: string) => new TypeError(`register needs ${what}.`);
  if (service === undefined || service === null || service === '') {
    throw missing("the service: register({ service: 'https://…', type: 'anonymous' })");
  }
  if (typeof type !== 'string' || type === '') {
    throw missing(`a type: ${IDENTITY_TYPES.join(', ')}`);
  }
  if (type === 'service_auth' && typeof loginHint !== 'string') {
    throw missing("loginHint with the type service_auth: the user's email address");
  }
  if (type === 'identity_assertion' && assertion === undefined && provider === undefined) {
    throw missing('provider, its URL, or assertion with the type identity_assertion');
  }
}

/** @throws AgentError `type_not_supported`. */
function requireType(service: Service, { type, service: named }: RegisterRequest): void {
  if (service.identityTypes.includes(type)) return;
  throw typeNotOffered([type], service, typeof named === 'string' ? named : service.resource);
}

/**
 * Discovers a service by what a user typed. Where its documents leave two dialects open, it is the one that a
 * stored registration was made in: nobody has to say it twice.
 */
export async function discoverAgain(tools: Tools, address: string): Promise<Discovery> {
  const record = findServiceRecord(await tools.store.read(), address);
  const dialect = tools.dialect ?? (record && dialectIn(record));
  return discover({ ...tools, dialect }, { address });
}

/** Registers with an ID-JAG that is minted for it. */
function registerMinted(
  tools: Tools,
  service: Service,
  request: MintRequest,
): Promise<Identified | LoginRequired | ConsentRequired> {
  const { provider } = request;
  return withIdJag<Identified>(tools, service, request, {
    present: async (assertion, { email, warnings }, isLast) => {
      const type = 'identity_assertion' as const;
      const result = await sendIdentity(tools, service, { type, assertion }, isLast);
      return { result, who: { type, email, provider }, warnings };
    },
    isUsedUp: ({ result }) => result.kind === 'mint_again',
  });
}

/**
 * The last resort of wire contract §6: a fresh ID-JAG of the provider that the registration came from, when the
 * user is signed in there. `undefined` when the user is not, or the service refuses.
 * @throws AgentError `claim_pending` when the user has to confirm the link again, `login_needed` or
 *   `consent_needed` when the provider wants its user first.
 */
export async function registerAgain({
  tools: given,
  service,
  registration: { provider, members },
}: AtService): Promise<Pick<Registered, 'registration' | 'token' | 'warnings'> | undefined> {
  const tools = { ...given, members: members ?? given.members };
  const { providers } = await tools.store.read();
  if (provider === null || !providers.some(({ issuer }) => issuer === provider)) return undefined;
  const over = 'The registration is no longer valid, and another cannot be made';
  const minted = await registerMinted(tools, service, { provider });
  if ('status' in minted) throw userNeeded(minted, provider, service, over);
  if (minted.result.kind === 'refused' || minted.result.kind === 'mint_again') return undefined;
  const outcome = await settleRegistration(tools, service, minted);
  switch (outcome.status) {
    case 'registered':
      return outcome;
    case 'claim_needed':
    case 'claim_pending':
      throw new AgentError('The user has to confirm the link to the account again.', {
        code: 'claim_pending',
        hint: 'Show the user the code.',
        next: { command: 'claim', args: [] },
      });
    case 'login_required':
    case 'consent_required':
      throw userNeeded(outcome, provider, service, over);
  }
}
