import { reachService } from '../discovery/reach-service.ts';
import type { Registration, Service } from '../model.ts';
import type { ClaimOpen, ResumeClaimOutcome } from '../outcomes.ts';
import { ceremonyOf } from '../records/ceremony-of.ts';
import { type InUse, keepClock, takeIntoUse } from '../records/in-use.ts';
import { registrationState, userOf, wasDenied } from '../records/registration-state.ts';
import type { ResumeClaimRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { readClaimEmail } from './claim-email.ts';
import { noClaim } from './no-claim.ts';
import { unpolledWarnings } from './poll-claim.ts';

export async function resumeClaim(
  tools: Tools,
  { service, email, signal }: ResumeClaimRequest,
): Promise<ResumeClaimOutcome> {
  const inUse = await takeIntoUse(tools, service);
  const { record, registration, peer } = inUse;
  readClaimEmail(registration, email);
  // Its answer shows the server's time, by which the windows are judged.
  const at = await reachService(tools, record, signal);
  await keepClock(tools, inUse);
  switch (registrationState(registration, peer.now())) {
    case 'claimed':
      return { status: 'already_claimed', registration };
    case 'pending':
      return openClaim(inUse, at, registration, true) ?? { status: 'not_started', registration };
    case 'lapsed':
      return { status: wasDenied(registration) ? 'denied' : 'attempt_expired', registration };
    case 'expired':
      return { status: registration.claimed ? 'already_claimed' : 'window_over', registration };
    case 'revoked':
      return { status: 'revoked', registration };
    case 'unclaimed':
      if (registration.claim === null) throw noClaim(registration);
      return { status: 'not_started', registration };
  }
}

/** The open attempt of a registration, for a screen; `undefined` when there is none. */
export function openClaim(
  { record, peer }: Pick<InUse, 'record' | 'peer'>,
  service: Service,
  registration: Registration,
  resumed: boolean,
): ClaimOpen | undefined {
  const attempt = registration.claim?.attempt;
  if (!attempt) return undefined;
  const ceremony = ceremonyOf(
    attempt,
    [record.issuer, record.resource],
    peer.now(),
    userOf(registration),
  );
  const warnings = unpolledWarnings(service, registration);
  return { status: 'open', registration, ceremony, resumed, warnings };
}
