import { normalizeEmail, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { livingOther, useRegistration } from '../credentials/change-credentials.ts';
import { canRefresh } from '../exchange/refresh.ts';
import type { Credentials, Discovery, Registration, Service, ServiceRecord } from '../model.ts';
import type { ClaimNeeded, ClaimPending, Registered } from '../outcomes.ts';
import { saveRegistration } from '../records/in-use.ts';
import { registerAnew } from '../records/register-step.ts';
import { isLive, isOver, registrationState } from '../records/registration-state.ts';
import { notRegistered, recordOf } from '../records/select-service.ts';
import type { RegisterRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type LookedUp, lookUp } from './look-up.ts';
import { claimPending, type Made } from './settle-registration.ts';

type Known = Exclude<LookedUp, { readonly kind: 'ended' }>;

interface Reused {
  readonly outcome: Registered | ClaimPending | ClaimNeeded | undefined;
  /** As {@link Registered.ended}. */
  readonly ended: readonly Registration[];
}

/** Narrower than type and user. */
export interface Among {
  /** Asked about before others, also before the one in use. */
  readonly first?: string | undefined;
  /** Looked at before the service is asked, and after: an answer may have settled whose it is. */
  readonly fits?: ((registration: Registration) => boolean) | undefined;
}

/**
 * The registration of the request's type and user that the service still has, which is in use from now on;
 * `undefined` when there is none. Those that it no longer has are ended, in the store too.
 * @throws AgentError when the answer does not tell: nothing has ended or been registered then.
 */
export async function reuseRegistration(
  tools: Tools,
  { service, warnings }: Discovery,
  request: RegisterRequest,
  among: Among = {},
): Promise<Reused> {
  const ended: Registration[] = [];
  const credentials = await tools.store.read();
  const record = recordOf(credentials, service);
  if (record === undefined) return { outcome: undefined, ended };
  const now = peerOf(tools, service.issuer, record.clockOffset).now();
  const { fits = () => true } = among;
  for (const candidate of candidates(credentials, record, request, now, among.first)) {
    if (!fits(candidate)) continue;
    const member = await withMembers(tools, candidate);
    const known = await lookUp(tools, service, member, request.signal).catch((error) => {
      throw notLearnt(candidate, error);
    });
    if (known.kind === 'ended') ended.push(known.registration);
    else if (fits(known.registration)) {
      return { outcome: await takeUp(tools, service, known, { warnings, ended }), ended };
    }
  }
  return { outcome: undefined, ended };
}

/** Members that are given now go with every further request of a registration that is there already, too. */
async function withMembers(tools: Tools, registration: Registration): Promise<Registration> {
  const { members } = tools;
  const { members: stored = {} } = registration;
  const names = Object.keys(members ?? {});
  const isKnown = names.every((name) => stored[name] === members?.[name]);
  if (members === undefined || (isKnown && names.length === Object.keys(stored).length)) {
    return registration;
  }
  return saveRegistration(tools, registration, (one) => ({ ...one, members }));
}

/** The `first` one, then the one in use, then those that were claimed, then the newest. */
function candidates(
  { providers }: Credentials,
  { registrations, current }: ServiceRecord,
  request: RegisterRequest,
  now: number,
  first: string | undefined,
): readonly Registration[] {
  const account = (issuer: string) => providers.find((one) => one.issuer === issuer)?.account;
  const rank = ({ id, claimed }: Registration) =>
    id === first ? 3 : id === current ? 2 : claimed ? 1 : 0;
  return registrations
    .filter((one) => one.ended === null && one.type === request.type)
    .filter((one) => isOfUser(one, request, now, account))
    .reverse()
    .sort((a, b) => rank(b) - rank(a));
}

function isOfUser(
  registration: Registration,
  request: RegisterRequest,
  now: number,
  accountAt: (provider: string) => string | null | undefined,
): boolean {
  switch (request.type) {
    case 'anonymous':
      return true;
    case 'service_auth':
      return registration.email === normalizeEmail(request.loginHint);
    case 'identity_assertion': {
      const { provider, email } = registration;
      // The user of a given ID-JAG is known to the service alone, so it is sent.
      if (!('provider' in request) || provider === null) return false;
      if (withoutFinalSlash(provider) !== withoutFinalSlash(request.provider)) return false;
      if (!canGoOn(registration, now)) return false;
      const account = normalizeEmail(accountAt(provider) ?? '');
      return account === undefined || email === null || account === normalizeEmail(email);
    }
  }
}

/** By an API key, an assertion, or a code that the user holds; else another ID-JAG is what renews it. */
function canGoOn(registration: Registration, now: number): boolean {
  const { assertion, token } = registration;
  if (token?.direct && !isOver(token.expiresAt, now)) return true;
  if (assertion === null) return registrationState(registration, now) === 'pending';
  return !isOver(assertion.expiresAt, now) || canRefresh(registration, now);
}

async function takeUp(
  tools: Tools,
  service: Service,
  known: Known,
  found: Pick<Made, 'warnings' | 'ended'>,
): Promise<Registered | ClaimPending | ClaimNeeded> {
  const { registration } = known;
  const { issuer, name = null } = service;
  const peer = peerOf(tools, issuer);
  const previous = await tools.store.update((current) => {
    const used = useRegistration(current, registration, { name, clockOffset: peer.offset });
    if (used === undefined) throw notRegistered(registration.resource);
    return [used, livingOther(current, registration, (one) => isLive(one, peer.now()))];
  });
  const made: Made = { ...found, service, registration, already: true, previous };
  if (known.kind === 'token') {
    const { token } = known;
    const warnings = [...found.warnings, ...known.warnings];
    return { ...made, status: 'registered', token, warnings };
  }
  const { attempt = null } = registration.claim ?? {};
  const reason =
    attempt === null ? 'not_started' : attempt.ended === 'denied' ? 'denied' : 'lapsed';
  const isOpen = attempt?.ended === null && !isOver(attempt.expiresAt, peer.now());
  const pending = isOpen ? claimPending(tools, made) : undefined;
  return pending ?? { ...made, status: 'claim_needed', reason };
}

/** The error states that nothing has changed. */
function notLearnt(registration: Registration, error: unknown): unknown {
  if (!(error instanceof AgentError) || error.code === 'aborted') return error;
  const { hint, problem } = error;
  const isPassing = error.kind === 'network' || error.retryable;
  const isUnclear = problem !== undefined || hint === undefined;
  const clear = isUnclear
    ? 'It may still be valid there: do not register again before that is clear.'
    : hint;
  return error.with({
    message: `It is not clear whether the service still has ${registration.id}, so nothing was registered: ${error.message}`,
    hint: isPassing ? 'Try again later.' : clear,
    next: isPassing
      ? registerAnew(registration)
      : (error.next ?? { command: 'doctor', args: [registration.resource] }),
    cause: error,
  });
}
