import { AgentError } from '../agent-error.ts';
import {
  changeRegistration,
  dropKept,
  isAnswerTo,
  type RegistrationKey,
  rememberService,
} from '../credentials/change-credentials.ts';
import type { Peer } from '../http/peer.ts';
import { isNoise } from '../http/server-time.ts';
import type {
  AccessToken,
  Credentials,
  KeptAnswer,
  Registration,
  ServiceRecord,
  Warning,
} from '../model.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import {
  notRegistered,
  recordOf,
  requireRegistration,
  requireServiceRecord,
} from './select-service.ts';

/** The registration that a command works on. */
export interface InUse {
  readonly record: ServiceRecord;
  readonly registration: Registration;
  readonly peer: Peer;
}

/** A token to try, and the registration as it is stored then. */
export interface TokenCandidate {
  readonly token: AccessToken;
  readonly registration: Registration;
  readonly fresh: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * The current registration of the service that is named or was used last; it is the one used last from
 * now on. @throws AgentError `not_registered`, `service_unknown`, or of the store.
 */
export async function takeIntoUse(tools: Tools, service: string | undefined): Promise<InUse> {
  const credentials = await tools.store.read();
  const record = requireServiceRecord(credentials, service);
  const registration = requireRegistration(record);
  const { resource } = record;
  if (credentials.lastService !== resource) {
    await noteDown(tools, 'the service used last', (now) => rememberService(now, resource));
  }
  return { record, registration, peer: peerOf(tools, record.issuer, record.clockOffset) };
}

/** A convenience: where nothing can be written, a token that is stored can still be used. */
async function noteDown(
  tools: Tools,
  what: string,
  change: (current: Credentials) => Credentials,
): Promise<void> {
  try {
    await changeStore(tools, change);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    tools.context.log.warn(`${what} was not stored`, { code: error.code });
  }
}

/**
 * Stores what an answer showed of the server's clock, where that is another one than is stored: what is asked
 * of nobody, such as a status, goes by it. A convenience, as the service used last.
 * @param least by how many milliseconds it has to differ. Default: more than rounding and travel time.
 */
export async function keepClock(
  tools: Tools,
  { peer, record, registration }: InUse,
  least = 0,
): Promise<void> {
  const difference = peer.offset - record.clockOffset;
  if (isNoise(difference) || Math.abs(difference) < least) return;
  await noteDown(tools, "the server's clock", (now) =>
    changeRegistration(now, registration, peer.offset, (stored) => stored),
  );
}

/**
 * Stores a change of a registration and returns it as stored.
 * @param settled what came of it now, so that answers to it that were not understood are worth nothing.
 * @throws AgentError `not_registered` when it was removed meanwhile.
 */
export async function saveRegistration(
  tools: Tools,
  key: RegistrationKey,
  change: (registration: Registration) => Registration,
  settled: readonly KeptAnswer['of'][] = [],
): Promise<Registration> {
  const offset = peerOf(tools, key.issuer).offset;
  const saved = await tools.store.update((current) => {
    const next = changeRegistration(current, key, offset, change);
    const rest = dropKept(next, (one) => isAnswerTo(one, key) && settled.includes(one.of));
    return [rest, storedUnder(rest, key)];
  });
  if (saved === undefined) throw notRegistered(key.resource);
  return saved;
}

/** A registration as it is in the store now; `undefined` once it was removed. */
export async function reload(
  tools: Tools,
  key: RegistrationKey,
): Promise<Registration | undefined> {
  return storedUnder(await tools.store.read(), key);
}

function storedUnder(credentials: Credentials, key: RegistrationKey): Registration | undefined {
  return recordOf(credentials, key)?.registrations.find(({ id }) => id === key.id);
}
