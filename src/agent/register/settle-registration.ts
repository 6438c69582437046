import { AgentError } from '../agent-error.ts';
import { unpolledWarnings } from '../claim/poll-claim.ts';
import { quietFrom } from '../claim/settle-claim.ts';
import { addRegistration, livingOther } from '../credentials/change-credentials.ts';
import type { IdentityProof } from '../dialects/dialect.ts';
import { firstToken } from '../exchange/exchange.ts';
import type { Registration, Service, Warning } from '../model.ts';
import type { ClaimNeeded, ClaimPending, RegisterOutcome } from '../outcomes.ts';
import { problemError } from '../problems/problem.ts';
import { loginRequired } from '../provider/open-session.ts';
import { ceremonyOf } from '../records/ceremony-of.ts';
import { isLive } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';
import type { Granted, IdentityResult } from './send-identity.ts';

export interface WhoRegistered {
  readonly type: IdentityProof['type'];
  readonly email: string | null;
  readonly provider: string | null;
  /** Whether the assertion was given, as {@link Registration.assertionGiven}. */
  readonly assertionGiven?: true;
}

/** What the identity endpoint answered, and who registered. */
export interface Identified {
  readonly result: IdentityResult;
  readonly who: WhoRegistered;
  readonly warnings: readonly Warning[];
  /** The registrations that this one takes the place of, as the service has ended them. */
  readonly ended?: readonly Registration[] | undefined;
}

/** Stores what came of it, then exchanges. */
export async function settleRegistration(
  tools: Tools,
  service: Service,
  { result, who, warnings, ended = [] }: Identified,
): Promise<RegisterOutcome> {
  switch (result.kind) {
    case 'registered':
    case 'interaction_required': {
      const { registration, previous } = await storeRegistration(tools, service, result, who).catch(
        (error) => {
          throw notStored(result.grant.id, service, error);
        },
      );
      const made = { service, registration, warnings, already: false, ended, previous };
      return claimPending(tools, made) ?? withToken(tools, made);
    }
    case 'login_required':
      return loginRequired(who.provider ?? undefined, 'service', { maxAge: result.maxAge });
    case 'mint_again':
      throw problemError(result.problem, {
        command: 'provider mint',
        args: ['--audience', service.issuer],
      });
    case 'refused': {
      const error = problemError(result.problem);
      throw error.code === 'invalid_request' ? error.with({ hint: OWN_MEMBER }) : error;
    }
  }
}

/** No document says what a service demands beyond the protocol; the words of its refusal may. */
const OWN_MEMBER = 'If it demands a member of its own, register with --member NAME=VALUE.';

interface Stored {
  readonly registration: Registration;
  /** The one in use before, where it is still active. */
  readonly previous: Registration | undefined;
}

/** Stores what a registration gave, before anything else can fail. */
async function storeRegistration(
  tools: Tools,
  service: Service,
  { grant, dialect }: Granted,
  { type, email, provider, assertionGiven }: WhoRegistered,
): Promise<Stored> {
  const { issuer, resource, name = null } = service;
  const peer = peerOf(tools, issuer);
  const registration: Registration = {
    id: grant.id,
    type,
    issuer,
    resource,
    dialect,
    createdAt: tools.context.clock.now(),
    assertion: grant.assertion,
    ...(grant.refresh && { refresh: grant.refresh }),
    token: grant.token,
    ...(tools.members && { members: tools.members }),
    preClaimScopes: grant.preClaimScopes,
    postClaimScopes: grant.postClaimScopes,
    claim: grant.claim && {
      ...grant.claim,
      email,
      attempt: grant.claim.attempt && quietFrom(grant.claim.attempt, peer.now()),
    },
    claimed: type === 'identity_assertion' && grant.claim === null,
    email,
    provider,
    ...(assertionGiven && { assertionGiven }),
    ended: null,
  };
  const previous = await tools.store.update((current) => [
    addRegistration(current, { issuer, resource, name, clockOffset: peer.offset }, registration),
    livingOther(current, registration, (one) => isLive(one, peer.now())),
  ]);
  return { registration, previous };
}

/** The registration is made, and nothing of it could be kept. */
function notStored(id: string, { issuer }: Service, error: unknown): unknown {
  if (!(error instanceof AgentError)) return error;
  return error.with({
    message: `Registered as ${id} at ${issuer}, but that could not be stored, so it cannot be used: ${error.message}`,
    hint: 'The service keeps it until it ends there. Make the file writable, then register again.',
    next: undefined,
    cause: error,
  });
}

/** What every outcome carries of a registration. */
export type Made = Omit<ClaimNeeded, 'status' | 'reason'>;

/** Its attempt for a screen; `undefined` where none is there. */
export function claimPending(tools: Tools, made: Made): ClaimPending | undefined {
  const { service, registration } = made;
  const attempt = registration.claim?.attempt;
  if (!attempt) return undefined;
  const now = peerOf(tools, service.issuer).now();
  return {
    ...made,
    warnings: [...made.warnings, ...unpolledWarnings(service, registration)],
    status: 'claim_pending',
    reason: registration.type === 'identity_assertion' ? 'interaction_required' : registration.type,
    ceremony: ceremonyOf(attempt, registration, now),
  };
}

/** The outcome of a registration that gives nothing before a claim, and came without an attempt. */
function claimNeeded({ registration, ...made }: Made): ClaimNeeded {
  if (registration.claim === null) {
    throw new AgentError(
      `Registered as ${registration.id}, and stored, but the service gave nothing to make calls with.`,
      { code: 'bad_answer', hint: 'Do not register again.', next: { command: 'status', args: [] } },
    );
  }
  return { ...made, registration, status: 'claim_needed', reason: 'not_started' };
}

async function withToken(tools: Tools, made: Made): Promise<RegisterOutcome> {
  const { service, registration } = made;
  const { assertion, id, token: given } = registration;
  // What the registration gave is what calls are made with.
  if (given !== null) return { ...made, status: 'registered', token: given };
  if (assertion === null) return claimNeeded(made);
  const done = { done: `Registered as ${id}`, again: 'register' } as const;
  const first = await firstToken({ tools, service, registration }, assertion, done);
  const { registration: kept, token } = first;
  const warnings = [...made.warnings, ...first.warnings];
  return { ...made, status: 'registered', registration: kept, token, warnings };
}
