import { decodeJwt, displayText } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { clientAt, clientProblem, publicClient, tryClient } from '../clients/client-at.ts';
import {
  findResourceServer,
  type ResourceServer,
  reachResourceServer,
} from '../discovery/resource-server.ts';
import { backOff, isLoss, pause } from '../http/send-patiently.ts';
import type { CrossAppAccess, KeptClient, Registration, Warning } from '../model.ts';
import type { Step } from '../next-step.ts';
import type { AccessGranted, ConsentRequired, LoginRequired, Minted } from '../outcomes.ts';
import { checkIdJag } from '../provider/id-jag.ts';
import { mintOnce } from '../provider/mint.ts';
import { clientAtProvider, isOfClient } from '../provider/open-session.ts';
import type { InUse, TokenCandidate } from '../records/in-use.ts';
import type { RedeemRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { narrowed, redeemIdJag } from './redeem-id-jag.ts';

const TRIES = 3;

/** What is to be had, and through whom. */
interface AccessAsked {
  readonly provider: string;
  /** Empty: whatever is given. */
  readonly scopes: readonly string[];
  /** Called with each ID-JAG before it is redeemed. */
  readonly onExchange?: ((exchange: Exchanged) => void) | undefined;
}

interface Exchanged extends Pick<Minted, 'provider' | 'scopes'> {
  readonly account: string | null;
  readonly clientId: string;
  readonly warnings: readonly Warning[];
}

/**
 * An ID-JAG of the provider, redeemed at the service. After a lost answer or a 5xx a new one is minted: none is ever sent
 * twice (EMA §7.4.2).
 * @throws AgentError `client_mismatch`, or why provider or service refuse.
 */
export async function getAccess(
  tools: Tools,
  server: ResourceServer,
  asked: AccessAsked,
): Promise<AccessGranted | LoginRequired | ConsentRequired> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await exchangeAndRedeem(tools, server, asked);
    } catch (error) {
      const isPassing =
        error instanceof AgentError && error.retryable && error.problem?.surface === 'token';
      if ((!isPassing && !isLoss(error)) || tries === TRIES) throw error;
    }
    await pause(tools, backOff(tools, tries));
  }
}

async function exchangeAndRedeem(
  tools: Tools,
  server: ResourceServer,
  { onExchange, provider, scopes }: AccessAsked,
): Promise<AccessGranted | LoginRequired | ConsentRequired> {
  const { issuer, service } = server;
  const credentials = await tools.store.read();
  const client = clientAt(tools, credentials, issuer);
  const minted = await mintOnce(tools, {
    provider,
    // Most providers know it by another id; where none is kept, it is the same.
    clientId: client?.clientId,
    audience: issuer,
    resource: service.resource,
    scopes,
    crossApp: { refusal: (problem, at) => mintRefusal(problem, at, server) },
  });
  if (minted.status !== 'minted') return minted;
  const redeeming = redeemer(client, minted, server);
  const { clientId: providerClientId } = clientAtProvider(
    tools,
    credentials,
    minted.provider,
    client?.clientId,
  );
  const { providers } = await tools.store.read();
  const account =
    providers.find(
      (session) => session.issuer === minted.provider && isOfClient(session, providerClientId),
    )?.account ?? null;
  onExchange?.({
    provider: minted.provider,
    account,
    clientId: redeeming.clientId,
    scopes: minted.scopes,
    warnings: narrowed(
      scopes,
      minted.scopes,
      (missing) => `The provider does not grant ${missing}.`,
    ),
  });
  // What the provider did not grant, the service need not be asked for.
  const granted = scopes.filter((scope) => minted.scopes?.includes(scope) ?? true);
  const access = { clientId: redeeming.clientId, providerClientId, scopes: granted };
  const { assertion } = minted;
  const redeemable = { assertion, provider: minted.provider, account, access };
  return redeemIdJag(tools, server, redeeming, redeemable);
}

/** The client that the ID-JAG is for: no other may redeem it (ID-JAG §4.4.1). */
function redeemer(
  client: KeptClient | undefined,
  { clientId, provider }: Minted,
  server: ResourceServer,
): KeptClient {
  const named = clientId ?? '';
  if (client === undefined) return publicClient(server.issuer, named);
  requireSameClient(client, named, provider, server);
  return client;
}

/** @throws AgentError `client_mismatch`. */
function requireSameClient(
  client: KeptClient,
  named: string,
  provider: string,
  { issuer, service }: ResourceServer,
): void {
  if (client.clientId === named) return;
  const own = displayText(client.clientId, 100);
  throw new AgentError(
    `${displayText(provider, 100)} names the client ${displayText(named, 100)} to ${displayText(issuer, 100)}, not ${own}, so nothing was sent there.`,
    {
      code: 'client_mismatch',
      hint: `Either the provider has to map its client to ${own} for this service, or its client is another one: provider login --client-id.`,
      next: {
        command: 'connect',
        args: [
          ...[service.resource, '--client-id', named, '--client-secret', '@FILE'],
          ...['--provider', provider],
        ],
      },
    },
  );
}

/** What the provider refuses for good, in words for cross-app access. */
function mintRefusal(
  problem: Problem,
  client: KeptClient,
  { issuer, service }: ResourceServer,
): AgentError | undefined {
  const [at, to] = [displayText(client.issuer, 100), displayText(issuer, 100)];
  switch (problem.code) {
    case 'invalid_client':
    case 'unauthorized_client':
      return clientProblem(problem, client, 'provider');
    case 'invalid_target':
      return new AgentError(
        `${at} does not know ${to} with the resource ${displayText(service.resource, 100)}.`,
        {
          code: 'invalid_target',
          kind: 'refused',
          hint: 'Who runs the provider has to enter both there, spelled like this.',
          problem,
        },
      );
    case 'access_denied':
      return new AgentError(
        `${at} does not let the client ${displayText(client.clientId, 100)} reach ${to} for this user.`,
        {
          code: 'access_denied',
          kind: 'refused',
          hint: 'Stop, and tell the user: who runs the provider decides that. Asking again does not help.',
          problem,
        },
      );
    default:
      return undefined;
  }
}

/**
 * Gets another token by a new ID-JAG.
 * @throws AgentError `login_needed` or `consent_needed` where its user has to act first.
 */
export async function renewAccess(
  tools: Tools,
  { record, registration }: InUse,
  scopes: readonly string[],
): Promise<AccessGranted> {
  const { provider } = registration;
  if (provider === null) throw new TypeError('An access has a provider.');
  const server = await reachResourceServer(tools, record);
  const granted = await getAccess(tools, server, { provider, scopes });
  if (granted.status === 'granted') return granted;
  const where = displayText(provider, 100);
  const isLogin = granted.status === 'login_required';
  const act = isLogin ? `sign in at ${where} for another` : `agree at ${where} to another`;
  throw new AgentError(`The token is over, and the user has to ${act}.`, {
    code: isLogin ? 'login_needed' : 'consent_needed',
    hint: isLogin ? 'Let the user sign in again.' : 'Ask the user to agree again.',
    next: isLogin ? signInStep(granted, provider) : connectAgain(registration),
  });
}

/** The sign-in that is missing; the next call then gets a token by itself. */
function signInStep({ askedBy, clientId, isOpen }: LoginRequired, provider: string): Step {
  if (isOpen) return { command: 'provider login', args: ['wait', provider] };
  // A browser that is signed in is not enough where the provider asks for the user.
  const fresh = askedBy === 'agent' ? [] : ['--fresh'];
  const client = clientId === undefined ? [] : ['--client-id', clientId];
  return { command: 'provider login', args: [provider, ...client, ...fresh] };
}

/** What gets access anew. */
function connectAgain(registration: Registration) {
  const { provider, resource } = registration;
  const { clientId } = accessOf(registration);
  const args = [resource, '--client-id', clientId, ...(provider ? ['--provider', provider] : [])];
  return { command: 'connect', args } as const;
}

export function accessOf({ crossApp }: Registration): CrossAppAccess {
  if (crossApp === undefined) throw new TypeError('That is a registration, and no access.');
  return crossApp;
}

/** The tokens to try after the stored one: one by a new ID-JAG, and none after it. It ends by throwing. */
export async function* renewedAccess(
  tools: Tools,
  inUse: InUse,
): AsyncGenerator<TokenCandidate, never> {
  const granted = await renewAccess(tools, inUse, accessOf(inUse.registration).scopes);
  yield { ...granted, fresh: true };
  throw new AgentError('The service refuses a token that it has just issued.', {
    code: 'token_refused',
    hint: 'This looks like a fault of the service.',
    next: connectAgain(granted.registration),
  });
}

/** Redeems an ID-JAG that is at hand, as of `providerMint`; see `Agent.redeem`. */
export async function redeem(
  own: Tools,
  { assertion, client: given, scopes = [], service: address }: RedeemRequest,
): Promise<AccessGranted> {
  await own.store.probeWritable();
  const { server } = await findResourceServer(own, address);
  const { issuer } = server;
  const { issuer: minter, email } = checkIdJag(
    assertion,
    server.service,
    peerOf(own, issuer).now(),
  );
  const named = String(decodeJwt(assertion.reveal())?.payload['client_id'] ?? '');
  const { keep, tools, ...tried } = await tryClient(own, issuer, given);
  const credentials = await tools.store.read();
  const client =
    tried.client ?? clientAt(tools, credentials, issuer) ?? publicClient(issuer, named);
  const provider = minter ?? '';
  requireSameClient(client, named, provider, server);
  const { clientId } = client;
  const providerClientId = clientAtProvider(tools, credentials, provider, clientId).clientId;
  const access = { clientId, providerClientId, scopes };
  const redeemable = { assertion, provider, account: email, access };
  const granted = await redeemIdJag(tools, server, client, redeemable);
  await keep?.();
  return granted;
}
