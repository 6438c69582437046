import { AgentError } from '../agent-error.ts';
import type { Credentials, Registration, ServiceRecord } from '../model.ts';
import type { RegistrationStatus, ServiceStatus, Status } from '../outcomes.ts';
import type { StatusRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { isSpent, registrationState, stateScopes } from './registration-state.ts';

export async function status(tools: Tools, request: StatusRequest): Promise<Status> {
  const { store, environmentToken } = tools;
  const credentials = await store.read();
  if (request.checkClocks) {
    await Promise.all(credentials.services.map((one) => seeClock(tools, one)));
  }
  return {
    location: store.location,
    environmentToken: environmentToken !== undefined,
    lastService: credentials.lastService,
    services: credentials.services.map((record) => serviceStatus(tools, record, credentials)),
    notUnderstood: credentials.notUnderstood ?? [],
    providers: credentials.providers.map((session) => ({
      session,
      remaining: left(session.expiresAt, peerOf(tools, session.issuer, session.clockOffset).now()),
    })),
  };
}

/** A service that cannot be reached is judged by the time that it showed last. */
async function seeClock(tools: Tools, record: ServiceRecord): Promise<void> {
  try {
    // Loaded when first needed: there may be no service.
    const { reachService } = await import('../discovery/reach-service.ts');
    await reachService(tools, record);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
  }
}

function serviceStatus(
  tools: Tools,
  record: ServiceRecord,
  { providers }: Pick<Credentials, 'providers'>,
): ServiceStatus {
  const peer = peerOf(tools, record.issuer, record.clockOffset);
  return {
    issuer: record.issuer,
    resource: record.resource,
    name: record.name,
    clockOffset: peer.offset,
    clockSeen: peer.clockSeen,
    registrations: record.registrations.map((registration) => ({
      current: registration.id === record.current,
      ...registrationStatus(
        registration,
        peer.now(),
        providers.some(({ issuer }) => issuer === registration.provider),
      ),
    })),
  };
}

const REVOKED = { token: null, assertion: null, refresh: null } as const;

/** @param signedIn whether its user is, at the provider that it came from: another ID-JAG can be had. */
function registrationStatus(
  registration: Registration,
  now: number,
  signedIn: boolean,
): Omit<RegistrationStatus, 'current'> {
  const stored = registrationState(registration, now);
  const isLeft = stored === 'claimed' && (signedIn || !isSpent(registration, now));
  const state = stored !== 'claimed' || isLeft ? stored : 'expired';
  const { claim } = registration;
  const mayNothing = state === 'revoked' || state === 'expired';
  // A revocation ends everything at once, whatever was stored of it.
  const { token, assertion, refresh } = state === 'revoked' ? REVOKED : registration;
  return {
    registration,
    state,
    scopes: mayNothing ? [] : (token?.scopes ?? stateScopes(registration)),
    tokenRemaining: left(token?.expiresAt, now),
    assertionRemaining: left(assertion?.expiresAt, now),
    refreshRemaining: left(refresh?.expiresAt, now),
    claimWindowRemaining: left(claim?.expiresAt, now),
    attemptRemaining: left(claim?.attempt?.expiresAt, now),
  };
}

function left(end: number | null | undefined, now: number): number | null {
  return end === null || end === undefined ? null : end - now;
}
