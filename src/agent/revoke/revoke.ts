import { AgentError } from '../agent-error.ts';
import { isSameService, removeRegistration } from '../credentials/change-credentials.ts';
import { withMembers } from '../dialects/own-members.ts';
import { revocationRequest } from '../dialects/requests.ts';
import { discover } from '../discovery/discover.ts';
import { reachService } from '../discovery/reach-service.ts';
import type { Answer } from '../http/answer.ts';
import { isLoss } from '../http/send-patiently.ts';
import type { AccessToken, Credentials, Registration, Service, ServiceRecord } from '../model.ts';
import type { ForgetOutcome, RevokeOutcome } from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import { saveRegistration, takeIntoUse } from '../records/in-use.ts';
import { isLive } from '../records/registration-state.ts';
import {
  type FoundRegistration,
  findRegistration,
  requireRegistration,
  requireServiceRecord,
} from '../records/select-service.ts';
import type { ForgetRequest, RevokeRequest } from '../requests.ts';
import { type TokenSource, tokenSource } from '../token/given-token.ts';
import { peerOf, type Tools } from '../tools.ts';

export async function revoke(tools: Tools, request: RevokeRequest): Promise<RevokeOutcome> {
  const source = await tokenSource(tools, request.service, true);
  if (source.from === 'environment') return revokeGiven(tools, source);
  const { record, registration } = await takeIntoUse(tools, request.service);
  const { token } = registration;
  if (token === null) return { status: 'no_token', source: 'store', registration };

  const service = await reachService(tools, record);
  await requestRevocation(tools, service, token, registration);
  const saved = await saveRegistration(tools, registration, (stored) =>
    // Another process may have exchanged meanwhile; that token stays active.
    stored.token?.value.reveal() === token.value.reveal() ? { ...stored, token: null } : stored,
  );
  return { status: 'revoked', source: 'store', registration: saved };
}

async function revokeGiven(
  tools: Tools,
  { owner: { record, url }, value }: Extract<TokenSource, { from: 'environment' }>,
): Promise<RevokeOutcome> {
  const service =
    record === undefined
      ? (await discover(tools, { address: url })).service
      : await reachService(tools, record);
  await requestRevocation(tools, service, { value });
  return { status: 'revoked', source: 'environment', registration: undefined };
}

type Revocable = Pick<AccessToken, 'value'> & Partial<AccessToken>;

/**
 * RFC 7009 §2. Resolves when the service has revoked the token.
 * @throws AgentError: the token may still be active.
 */
async function requestRevocation(
  tools: Tools,
  service: Service,
  token: Revocable,
  { crossApp, members }: Pick<Registration, 'crossApp' | 'members'> = {},
): Promise<void> {
  if (service.revocationEndpoint === undefined) {
    throw new AgentError(
      `The service has no revocation endpoint: the token stays valid until ${endOf(token)}.`,
      {
        code: 'not_offered',
      },
    );
  }
  const request =
    crossApp === undefined
      ? revocationRequest(service.revocationEndpoint, token.value)
      : await (await import('./client-revocation.ts')).clientRevocation(
          tools,
          service,
          crossApp,
          token.value,
        );
  const peer = peerOf(tools, service.issuer);
  processRevocation(await peer.send(withMembers(request, members), tools.signal));
}

/** An API key has no end of its own. */
function endOf(token: Revocable): string {
  return token.direct && token.expiresAt === null ? 'the service ends it' : 'it expires';
}

/** A 200 means revoked, whatever its body; after a 503 the token may still be active (RFC 7009 §2.2, §2.2.1). */
function processRevocation(answer: Answer): void {
  if (answer.status === 200) return;
  const problem = readProblem(answer, 'revocation');
  if (problem !== undefined) throw problemError(problem, { command: 'revoke', args: [] });
  throw new AgentError(`The revocation endpoint (${answer.where}) answered ${answer.status}.`, {
    code: answer.status >= 300 && answer.status < 400 ? 'redirected' : 'bad_answer',
    hint: 'The token may still be valid.',
  });
}

export async function forget(tools: Tools, request: ForgetRequest): Promise<ForgetOutcome> {
  const { record, registration } = choose(await tools.store.read(), request);
  // A store that cannot be written must not lose the token's revocation to a half-done forgetting.
  await tools.store.probeWritable();
  const revocation = await revokeFor(tools, record, registration);
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
): Promise<ForgetOutcome['revocation']> {
  const { token } = registration;
  if (token === null) return 'no_token';
  try {
    const service = await reachService(tools, record);
    if (service.revocationEndpoint === undefined) return 'not_offered';
    await requestRevocation(tools, service, token, registration);
    return 'revoked';
  } catch (error) {
    if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
    tools.context.log.warn('revocation failed', { code: error.code });
    return isLoss(error) ? 'unreachable' : 'refused';
  }
}
