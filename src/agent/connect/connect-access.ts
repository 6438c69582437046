import { AgentError } from '../agent-error.ts';
import { requireMethod } from '../clients/authenticate.ts';
import { clientAt, giveClient, tryClient } from '../clients/client-at.ts';
import { useRegistration } from '../credentials/change-credentials.ts';
import { getAccess } from '../cross-app/get-access.ts';
import { accessId } from '../cross-app/redeem-id-jag.ts';
import { type FoundServer, findResourceServer } from '../discovery/resource-server.ts';
import type { Service } from '../model.ts';
import type { AccessGranted, ConsentRequired, LoginRequired } from '../outcomes.ts';
import { ownSessions } from '../provider/open-session.ts';
import { reload } from '../records/in-use.ts';
import { recordOf } from '../records/select-service.ts';
import { storedToken } from '../token/token.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import { proveAt } from './connect-call.ts';
import type { ConnectOutcome, ConnectRequest, ConnectStep } from './connect-request.ts';
import { answerMissing, tokenFacts } from './connect-run.ts';
import { connected } from './connect-scopes.ts';

interface Connecting {
  readonly tools: Tools;
  readonly request: ConnectRequest;
  readonly tell: (step: ConnectStep) => void;
}

/**
 * Gets from a URL to a token that was proven, by an ID-JAG of the provider (EMA §4). Once there is a token with the
 * scopes that are wanted, nothing is asked for.
 */
export async function connectAccess(
  given: Connecting,
  address: string,
  onService: (service: Service) => void,
): Promise<ConnectOutcome> {
  const { request, tell } = given;
  const found = await findResourceServer(given.tools, address);
  const { discovery, server } = found;
  const { issuer, service } = server;
  onService(service);
  tell({ step: 'discover', discovery });
  const tried = await tryClient(given.tools, issuer, request.client);
  const { keep, tools } = tried;
  const connecting = { ...given, tools };
  const client = tried.client ?? clientAt(tools, await tools.store.read(), issuer);
  if (client !== undefined) {
    requireMethod(server, client, giveClient('service', service.resource, client.clientId));
  }
  const provider = request.provider ?? (await lastProvider(connecting));
  const scopes = request.scopes?.length ? request.scopes : server.scopes;
  // What the client had before shows nothing of a secret that is new.
  const known =
    client &&
    keep === undefined &&
    (await liveAccess(tools, service, provider, client.clientId, scopes));
  if (known) {
    try {
      return await goOn(connecting, found, known, true);
    } catch (error) {
      // It is over before its time, and its user has to act for another: as where there is none.
      if (!isUserNeeded(error)) throw error;
    }
  }
  const attempt = () =>
    getAccess(tools, server, {
      ...{ provider, scopes },
      onExchange: (exchange) => tell({ step: 'exchange', ...exchange }),
    });
  const granted: AccessGranted | LoginRequired | ConsentRequired = request.user?.access
    ? await request.user.access({ service, scopes, attempt })
    : await attempt();
  if (granted.status !== 'granted') return granted;
  await keep?.();
  return goOn(connecting, found, granted, false);
}

function isUserNeeded(error: unknown): boolean {
  const { code } = error instanceof AgentError ? error : {};
  return code === 'login_needed' || code === 'consent_needed';
}

/** The provider where the user signed in last. */
async function lastProvider({ request, tools }: Connecting): Promise<string> {
  const last = ownSessions(tools, await tools.store.read(), request.client?.id).at(-1);
  if (last !== undefined) return last.issuer;
  throw answerMissing('The provider that the user signs in at', '--provider', {
    ...request,
    provider: 'URL',
  });
}

/** What was redeemed before, where it is still good for what is wanted. */
async function liveAccess(
  tools: Tools,
  service: Service,
  provider: string,
  clientId: string,
  scopes: readonly string[],
): Promise<AccessGranted | undefined> {
  const { issuer, resource } = service;
  const record = recordOf(await tools.store.read(), service);
  const id = accessId({ issuer, resource, provider, clientId });
  const registration = record?.registrations.find((one) => one.id === id);
  if (record === undefined || registration === undefined) return undefined;
  const candidate = storedToken({ record, registration, peer: peerOf(tools, issuer) });
  const has = candidate?.token.scopes ?? null;
  // What was narrowed before is asked for again only where somebody says that it is wanted.
  const wanted = scopes.filter((scope) => !registration.crossApp?.scopes.includes(scope));
  if (candidate === undefined || (has !== null && !wanted.every((scope) => has.includes(scope)))) {
    return undefined;
  }
  await changeStore(tools, (current) => useRegistration(current, registration) ?? current);
  return { status: 'granted', service, registration, token: candidate.token, warnings: [] };
}

async function goOn(
  { request, tell, tools }: Connecting,
  { challenged, server: { service } }: FoundServer,
  granted: AccessGranted,
  already: boolean,
): Promise<ConnectOutcome> {
  const tellToken = ({ registration, token }: Pick<AccessGranted, 'registration' | 'token'>) =>
    tell({ step: 'token', registration, token: tokenFacts(tools, service.issuer, token) });
  // One that was stored may be over: it is told of once the resource has taken it.
  if (!already) tellToken(granted);
  const proof = await proveAt(tools, service, {
    path: request.call,
    // What asked for a token shows whether this one is good.
    challenged,
  });
  // The call may have got another.
  const registration = (await reload(tools, granted.registration)) ?? granted.registration;
  const token = registration.token ?? granted.token;
  if (already) tellToken({ registration, token });
  if (proof?.kind === 'too_narrow') throw proof.error;
  if (proof !== undefined) tell({ step: 'call', call: proof.call, warnings: proof.warnings });
  return connected(tools, service, { already, call: proof?.call ?? null, registration, token });
}
