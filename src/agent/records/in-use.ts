import { AgentError } from '../agent-error.ts';
import type { Peer } from '../http/peer.ts';
import type { Registration, ServiceRecord } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';
import { changeRegistration, rememberService } from './change-credentials.ts';
import { notRegistered, requireRegistration, requireServiceRecord } from './select-service.ts';

/** The registration that a command works on. */
export interface InUse {
  readonly record: ServiceRecord;
  readonly registration: Registration;
  readonly peer: Peer;
}

/**
 * The current registration of the service that is named or was used last; it is the one used last from
 * now on. @throws AgentError `not_registered`, `service_unknown`, or of the store.
 */
export async function takeIntoUse(tools: Tools, service: string | undefined): Promise<InUse> {
  const credentials = await tools.store.read();
  const record = requireServiceRecord(credentials, service);
  const registration = requireRegistration(record);
  if (credentials.lastService !== record.issuer) await remember(tools, record.issuer);
  return { record, registration, peer: peerOf(tools, record.issuer, record.clockOffset) };
}

/** A convenience: where nothing can be written, a token that is stored can still be used. */
async function remember(tools: Tools, issuer: string): Promise<void> {
  try {
    await tools.store.update((current) => [rememberService(current, issuer), undefined]);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    tools.context.log.warn('the service used last was not stored', { code: error.code });
  }
}

/**
 * Stores a change of a registration and returns it as stored.
 * @throws AgentError `not_registered` when it was removed meanwhile.
 */
export async function saveRegistration(
  tools: Tools,
  { id, issuer }: Pick<Registration, 'id' | 'issuer'>,
  change: (registration: Registration) => Registration,
): Promise<Registration> {
  const offset = peerOf(tools, issuer).offset;
  const saved = await tools.store.update((current) => {
    const next = changeRegistration(current, { id, issuer }, offset, change);
    const record = next.services.find((one) => one.issuer === issuer);
    return [next, record?.registrations.find((one) => one.id === id)];
  });
  if (saved === undefined) throw notRegistered(issuer);
  return saved;
}

/** A registration as it is in the store now; `undefined` once it was removed. */
export async function reload(
  tools: Tools,
  { id, issuer }: Pick<Registration, 'id' | 'issuer'>,
): Promise<Registration | undefined> {
  const { services } = await tools.store.read();
  const record = services.find((one) => one.issuer === issuer);
  return record?.registrations.find((one) => one.id === id);
}
