import { AgentError } from '../agent-error.ts';
import { isSameService, removeRegistration } from '../credentials/change-credentials.ts';
import { reachService } from '../discovery/reach-service.ts';
import { isLoss } from '../http/send-patiently.ts';
import type { Credentials, Registration, ServiceRecord } from '../model.ts';
import type { ForgetOutcome } from '../outcomes.ts';
import { type FoundRegistration, findRegistration } from '../records/find-registration.ts';
import { isLive } from '../records/registration-state.ts';
import { requireRegistration, requireServiceRecord } from '../records/select-service.ts';
import type { ForgetRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { requestRevocation } from './revoke.ts';

export async function forget(tools: Tools, request: ForgetRequest): Promise<ForgetOutcome> {
  const { record, registration } = choose(await tools.store.read(), request);
  // A store that cannot be written must not lose the token's revocation to a half-done forgetting.
  await tools.store.probeWritable();
  const revocation = await revokeFor(tools, record, registration, request.signal);
  const now = peerOf(tools, record.issuer, record.clockOffset).now();
  const next = await tools.store.update((current) => {
    const changed = removeRegistration(current, registration, (one) => isLive(one, now));
    return [changed, inUseInstead(current, changed, record)];
  });
  const end = registration.token?.expiresAt ?? null;
  return {
    registration,
    next,
    revocation,
    tokenRemaining: revocation === 'revoked' || end === null ? null : Math.max(0, end - now),
  };
}

function choose(
  credentials: Credentials,
  { registrationId, service }: ForgetRequest,
): FoundRegistration {
  if (registrationId !== undefined)
    return findRegistration(credentials, registrationId, service, 'forget');
  const record = requireServiceRecord(credentials, service);
  return { record, registration: requireRegistration(record) };
}

/** The one in use after the change, where that was another before. */
function inUseInstead(
  before: Credentials,
  after: Credentials,
  service: ServiceRecord,
): Registration | undefined {
  const recordIn = ({ services }: Credentials) =>
    services.find((one) => isSameService(one, service));
  const now = recordIn(after);
  if (now === undefined || now.current === recordIn(before)?.current) return undefined;
  return now.registrations.find(({ id }) => id === now.current);
}

/** Forgetting goes on whatever the server says; only an interruption stops it. */
async function revokeFor(
  tools: Tools,
  record: ServiceRecord,
  registration: Registration,
  signal: AbortSignal | undefined,
): Promise<ForgetOutcome['revocation']> {
  const { token } = registration;
  if (token === null) return 'no_token';
  try {
    const service = await reachService(tools, record, signal);
    if (service.revocationEndpoint === undefined) return 'not_offered';
    await requestRevocation(tools, service, token, signal, registration);
    return 'revoked';
  } catch (error) {
    if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
    tools.context.log.warn('revocation failed', { code: error.code });
    return isLoss(error) ? 'unreachable' : 'refused';
  }
}
