/** Pure changes of the credentials; the store runs them inside its lock. */
import type {
  Credentials,
  KeptAnswer,
  KeptClient,
  PageSignIn,
  PendingSignIn,
  ProviderSession,
  Registration,
  ServiceRecord,
} from '../model.ts';

/** The same API behind the same server: a service is both. */
export function isSameService(
  a: Pick<ServiceRecord, 'issuer' | 'resource'>,
  b: Pick<ServiceRecord, 'issuer' | 'resource'>,
): boolean {
  return a.issuer === b.issuer && a.resource === b.resource;
}

/** Which registration, among all that are stored. */
export type RegistrationKey = Pick<Registration, 'issuer' | 'resource' | 'id'>;

/**
 * Adds a registration to its service, makes it the one in use and its service the one used last. One
 * of the same id is replaced: an ID-JAG leads to the live registration of its user (wire contract §3).
 */
export function addRegistration(
  credentials: Credentials,
  service: Pick<ServiceRecord, 'issuer' | 'resource' | 'name' | 'clockOffset'>,
  registration: Registration,
): Credentials {
  const before = credentials.services.find((one) => isSameService(one, service));
  const others = (before?.registrations ?? []).filter(({ id }) => id !== registration.id);
  const record: ServiceRecord = {
    ...service,
    current: registration.id,
    registrations: [...others, registration],
  };
  return {
    ...credentials,
    lastService: service.resource,
    services: [...credentials.services.filter((one) => !isSameService(one, service)), record],
  };
}

/**
 * Makes a stored registration the one in use, and its service, as it is now, the one used last.
 * `undefined` where it was removed meanwhile.
 */
export function useRegistration(
  credentials: Credentials,
  key: RegistrationKey,
  service: Partial<Pick<ServiceRecord, 'name' | 'clockOffset'>> = {},
): Credentials | undefined {
  const record = credentials.services.find((one) => isSameService(one, key));
  if (!record?.registrations.some(({ id }) => id === key.id)) return undefined;
  const changed = changeRecord(credentials, key, (record) => ({
    ...record,
    ...service,
    current: key.id,
  }));
  return { ...changed, lastService: key.resource };
}

/** The registration in use of a service, where it is active and another than `id`. */
export function livingOther(
  { services }: Credentials,
  key: RegistrationKey,
  isLive: (registration: Registration) => boolean,
): Registration | undefined {
  const record = services.find((one) => isSameService(one, key));
  return record?.registrations.find(
    (one) => one.id === record.current && one.id !== key.id && isLive(one),
  );
}

/**
 * Changes one registration as it is in the store **now**; one that was removed meanwhile stays
 * removed. `clockOffset` is what its server's clock showed last.
 */
export function changeRegistration(
  credentials: Credentials,
  key: RegistrationKey,
  clockOffset: number,
  change: (registration: Registration) => Registration,
): Credentials {
  return changeRecord(credentials, key, (record) => ({
    ...record,
    clockOffset,
    registrations: record.registrations.map((one) => (one.id === key.id ? change(one) : one)),
  }));
}

/** Removes a registration; the newest active one is in use then, else the newest. A service without one goes too. */
export function removeRegistration(
  credentials: Credentials,
  key: RegistrationKey,
  isLive: (registration: Registration) => boolean,
): Credentials {
  const changed = changeRecord(credentials, key, (record) => {
    const registrations = record.registrations.filter((one) => one.id !== key.id);
    const newest = registrations.findLast((one) => isLive(one)) ?? registrations.at(-1);
    const current = record.current === key.id ? (newest?.id ?? null) : record.current;
    return { ...record, registrations, current };
  });
  const services = changed.services.filter(({ registrations }) => registrations.length > 0);
  const isThere = services.some((record) => record.resource === changed.lastService);
  const rest = dropKept(changed, (one) => isAnswerTo(one, key));
  return { ...rest, services, lastService: isThere ? changed.lastService : null };
}

export function rememberService(credentials: Credentials, resource: string): Credentials {
  return credentials.lastService === resource
    ? credentials
    : { ...credentials, lastService: resource };
}

/** More than this is a service that answers so each time: what can be had again goes first. */
const MOST_KEPT = 32;

/** Keeps an answer; of token answers to one registration, and of sign-ins, the last alone. */
export function keepAnswer(credentials: Credentials, kept: KeptAnswer): Credentials {
  const isRepeated = ({ of, issuer, resource, registrationId, truncated }: KeptAnswer) =>
    (isRepeatable(kept) || (truncated && registrationId !== null)) &&
    of === kept.of &&
    isSameService({ issuer, resource }, kept) &&
    registrationId === kept.registrationId;
  const all = [...(credentials.notUnderstood ?? []).filter((one) => !isRepeated(one)), kept];
  const surplus = all.length > MOST_KEPT ? (all.find(isRepeatable) ?? all[0]) : undefined;
  return { ...credentials, notUnderstood: all.filter((one) => one !== surplus) };
}

/** Whether the same request gets the same again. */
function isRepeatable({ of }: KeptAnswer): boolean {
  return of === 'claim' || of === 'token' || of === 'sign_in';
}

/** Whether an answer belongs to a stored registration. */
export function isAnswerTo(kept: KeptAnswer, key: RegistrationKey): boolean {
  return isSameService(kept, key) && kept.registrationId === key.id;
}

/** Removes the kept answers for which `isGone` is true. */
export function dropKept(
  credentials: Credentials,
  isGone: (kept: KeptAnswer) => boolean,
): Credentials {
  const before = credentials.notUnderstood ?? [];
  if (!before.some(isGone)) return credentials;
  return { ...credentials, notUnderstood: before.filter((one) => !isGone(one)) };
}

/** Keeps one session per provider and client. */
export function putSession(credentials: Credentials, session: ProviderSession): Credentials {
  const others = credentials.providers.filter(
    ({ issuer, clientId }) => issuer !== session.issuer || clientId !== session.clientId,
  );
  const rest = dropKept(
    credentials,
    (one) => one.of === 'sign_in' && one.issuer === session.issuer,
  );
  return { ...rest, providers: [...others, session] };
}

/** Keeps one open sign-in per provider: a new code takes the place of the one before. */
export function putSignIn(credentials: Credentials, signIn: PendingSignIn): Credentials {
  const others = credentials.signIns.filter(({ issuer }) => issuer !== signIn.issuer);
  return { ...credentials, signIns: [...others, signIn] };
}

/** Changes a sign-in that is still open; one that was replaced or ended meanwhile stays so. */
export function changeSignIn(credentials: Credentials, signIn: PendingSignIn): Credentials {
  const signIns = credentials.signIns.map((one) => (isSameCode(one, signIn) ? signIn : one));
  return { ...credentials, signIns };
}

export function removeSignIn(credentials: Credentials, signIn: PendingSignIn): Credentials {
  const signIns = credentials.signIns.filter((one) => !isSameCode(one, signIn));
  return { ...credentials, signIns };
}

/** Keeps one sign-in on a page per provider and client. */
export function putPageSignIn(credentials: Credentials, signIn: PageSignIn): Credentials {
  const others = (credentials.pageSignIns ?? []).filter(
    ({ issuer, clientId }) => issuer !== signIn.issuer || clientId !== signIn.clientId,
  );
  return { ...credentials, pageSignIns: [...others, signIn] };
}

export function removePageSignIn(
  credentials: Credentials,
  { state }: Pick<PageSignIn, 'state'>,
): Credentials {
  const pageSignIns = credentials.pageSignIns?.filter(
    (one) => one.state.reveal() !== state.reveal(),
  );
  return pageSignIns === undefined ? credentials : { ...credentials, pageSignIns };
}

/** Keeps one client per server. */
export function putClient(credentials: Credentials, client: KeptClient): Credentials {
  const others = (credentials.clients ?? []).filter(({ issuer }) => issuer !== client.issuer);
  return { ...credentials, clients: [...others, client] };
}

function isSameCode(a: PendingSignIn, b: PendingSignIn): boolean {
  return a.deviceCode.reveal() === b.deviceCode.reveal();
}

function changeRecord(
  credentials: Credentials,
  service: Pick<ServiceRecord, 'issuer' | 'resource'>,
  change: (record: ServiceRecord) => ServiceRecord,
): Credentials {
  return {
    ...credentials,
    services: credentials.services.map((record) =>
      isSameService(record, service) ? change(record) : record,
    ),
  };
}
