import { displayText } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AccessToken, Registration, Service } from '../model.ts';
import { reload } from '../records/in-use.ts';
import { stateScopes } from '../records/registration-state.ts';
import type { Tools } from '../tools.ts';
import type { Connected, ConnectRequest } from './connect-request.ts';
import { connectArgs, tokenFacts } from './connect-run.ts';

type Scopes = readonly string[] | null;

/** What stands between a registration and the scopes that are wanted: nothing, its user, or the service. */
type ScopeNeed = 'none' | 'claim' | 'beyond';

/** What was come to. The call may have renewed the token. */
export async function connected(
  tools: Tools,
  service: Service,
  {
    already,
    call,
    registration,
    token,
  }: Pick<Connected, 'already' | 'call' | 'registration'> & {
    readonly token: AccessToken;
  },
): Promise<Connected> {
  const now = (await reload(tools, registration)) ?? registration;
  const inUse = now.token ?? token;
  const scopes = scopesNow(now, inUse);
  return {
    status: 'connected',
    already,
    service,
    registration: now,
    token: tokenFacts(tools, service.issuer, inUse),
    scopes,
    claimAdds: claimAdds(now, scopes),
    call,
    left: [],
    warnings: [],
  };
}

/** What a registration may do now; `null`: the service did not say. */
function scopesNow(registration: Registration, token: Pick<AccessToken, 'scopes'> | null) {
  return token?.scopes ?? stateScopes(registration);
}

/** What a claim would add; `null`: the service did not say. */
function claimAdds(registration: Registration, now: Scopes): Scopes {
  if (registration.claimed || registration.claim === null) return [];
  return registration.postClaimScopes?.filter((scope) => !now?.includes(scope)) ?? null;
}

/** Where a service lists no scopes, it is asked all the same, and its answer counts. */
export function scopeNeed(
  wanted: readonly string[],
  registration: Registration,
  token: AccessToken | null,
): ScopeNeed {
  const now = scopesNow(registration, token);
  if (wanted.length === 0 || includesAll(now, wanted)) return 'none';
  if (registration.claimed || registration.claim === null) return now === null ? 'none' : 'beyond';
  const later = registration.postClaimScopes;
  return later === null || includesAll(later, wanted) ? 'claim' : 'beyond';
}

/** @throws AgentError `scope_not_offered` where the metadata lists scopes, and not all that are wanted. */
export function requireOffered(request: ConnectRequest, { scopes }: Service): void {
  const missing = (request.scopes ?? []).filter((scope) => !scopes.includes(scope));
  if (scopes.length === 0 || missing.length === 0) return;
  throw scopeNotOffered(
    request,
    `The service does not offer the scope ${list(missing)}. It offers: ${list(scopes)}.`,
  );
}

/** The registration will not come to what is wanted. */
export function beyondReach(request: ConnectRequest, registration: Registration): AgentError {
  const { scopes: wanted = [] } = request;
  const { claimed, claim, postClaimScopes } = registration;
  const now = scopesNow(registration, registration.token);
  const reach = claimed || claim === null ? now : [...(now ?? []), ...(postClaimScopes ?? [])];
  const missing = wanted.filter((scope) => !reach?.includes(scope));
  return scopeNotOffered(
    request,
    `The registration ${registration.id} cannot get the scope ${list(missing)}. It can get: ${list([...new Set(reach)])}.`,
  );
}

function scopeNotOffered(request: ConnectRequest, message: string): AgentError {
  const args = connectArgs({ ...request, scopes: ['SCOPE'] });
  return new AgentError(message, {
    code: 'scope_not_offered',
    hint: 'Ask for what is offered, or leave the scope out.',
    next: { command: 'connect', args: [request.service, ...args] },
  });
}

function includesAll(scopes: Scopes, wanted: readonly string[]): boolean {
  return scopes !== null && wanted.every((scope) => scopes.includes(scope));
}

function list(scopes: readonly string[]): string {
  return displayText(scopes.join(' '), 200) || 'none';
}
