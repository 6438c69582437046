import {
  anyInterval,
  deviceAuthorizationResponse,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest, requireMethod } from '../clients/authenticate.ts';
import { clientProblem, giveClient, tryClient } from '../clients/client-at.ts';
import { putSignIn } from '../credentials/change-credentials.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import { readCeremony, readMembers, readSecret } from '../http/read-members.ts';
import type { PendingSignIn, SignInCeremony } from '../model.ts';
import type { ProviderLogin, ResumeProviderLoginOutcome } from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import type { ProviderLoginRequest, ResumeProviderLoginRequest } from '../requests.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import { clientAtProvider } from './open-session.ts';
import { discoverProvider } from './provider.ts';
import { openLogin } from './wait-for-sign-in.ts';

const WHO = "The provider's sign-in endpoint";
const deviceAuthorization = deviceAuthorizationResponse
  .partial({ expires_in: true })
  .extend({ interval: anyInterval });

/** Opens a sign-in and stores it, so that another process can wait for it. */
export async function providerLogin(
  own: Tools,
  request: ProviderLoginRequest,
): Promise<ProviderLogin<SignInCeremony>> {
  await own.store.probeWritable();
  const provider = await discoverProvider(own, request.provider);
  const url = provider.deviceAuthorizationEndpoint;
  const { client: given, keep, tools } = await tryClient(own, provider.issuer, request.client);
  const client =
    given ?? clientAtProvider(tools, await tools.store.read(), provider.issuer, request.clientId);
  if (request.client !== undefined || client.clientId !== AGENT_CLIENT_ID) {
    requireMethod(provider, client, giveClient('provider', provider.issuer, client.clientId));
  }
  const hasPage = provider.authorizationEndpoint !== undefined;
  const isByPage = request.flow === 'browser' || (request.flow === 'any' && url === undefined);
  const onPage = async () => {
    // Its link outlives this process: whoever goes on with it needs the client.
    await keep?.();
    return (await import('./page-sign-in.ts')).openPageSignIn(own, provider, client, request);
  };
  if (isByPage && (hasPage || url === undefined)) return onPage();
  if (url === undefined) {
    throw new AgentError('The provider offers no sign-in by device code (RFC 8628).', {
      code: 'not_offered',
    });
  }
  const { issuer } = provider;
  const peer = peerOf(tools, issuer);
  const isOurs = client.clientId === AGENT_CLIENT_ID;
  const answer = await peer.send(
    await clientRequest(tools, { ...provider, tokenEndpoint: url }, client, {
      scope: isOurs ? 'openid email' : 'openid email offline_access',
      ...freshness(request),
    }),
    tools.signal,
  );
  const problem = readProblem(answer, 'provider');
  if (problem !== undefined) {
    // A client may be allowed the one and not the other.
    const isForPages = problem.code === 'invalid_client' || problem.code === 'unauthorized_client';
    if (isForPages && hasPage && request.flow === 'any') return onPage();
    throw isOurs ? problemError(problem) : clientProblem(problem, client, 'provider');
  }
  const members = readMembers(answer, WHO, deviceAuthorization);
  const signIn: PendingSignIn = {
    issuer,
    deviceCode: readSecret(answer, WHO, 'device_code', members.device_code),
    ...readCeremony(answer, WHO, members, answer.sentAt),
    clockOffset: peer.offset,
    ...(!isOurs && { clientId: client.clientId }),
  };
  // It was asked to authenticate (RFC 8628 §3.1).
  await keep?.();
  await changeStore(tools, (current) => putSignIn(current, signIn));
  return openLogin(tools, provider, signIn, client);
}

/** The sign-in that was opened last and not waited for to its end, also by another process. */
export async function resumeProviderLogin(
  tools: Tools,
  { clientId, provider: named }: ResumeProviderLoginRequest,
): Promise<ResumeProviderLoginOutcome> {
  const credentials = await tools.store.read();
  const { pageSignIns = [], providers, signIns } = credentials;
  const isMeant = (one: { readonly issuer: string; readonly clientId?: string }) =>
    (named === undefined || withoutFinalSlash(one.issuer) === withoutFinalSlash(named)) &&
    (clientId === undefined || (one.clientId ?? AGENT_CLIENT_ID) === clientId);
  const open = [...pageSignIns, ...signIns].filter(isMeant);
  if (new Set(open.map(({ issuer }) => issuer)).size > 1) {
    throw new AgentError('Sign-ins at several providers are open.', {
      code: 'provider_unknown',
      hint: 'Name the one to wait for.',
    });
  }
  for (const signIn of open) {
    const offset = 'clockOffset' in signIn ? signIn.clockOffset : 0;
    const peer = peerOf(tools, signIn.issuer, offset);
    const provider = await discoverProvider(tools, signIn.issuer);
    // The spelling of the metadata shares the clock of the one that was stored.
    tools.peers.set(provider.issuer, peer);
    const client = clientAtProvider(tools, credentials, provider.issuer, signIn.clientId);
    const login =
      'redirectUri' in signIn
        ? await (await import('./page-sign-in.ts')).resumePageSignIn(
            tools,
            provider,
            client,
            signIn,
          )
        : await openLogin(tools, provider, signIn, client);
    if (login !== undefined) return { status: 'open', login };
  }
  const [session, ...more] = providers.filter(isMeant);
  return { status: 'not_started', session: more.length === 0 ? session : undefined };
}

/** Seconds. What asks for no more than this asks for nothing, whatever a peer wrote. */
const LONGEST_AGE = 999_999_999;

/** How fresh the sign-in has to be (OpenID Connect Core §3.1.2.1); a provider may not know it. */
function freshness({ acrValues, maxAge, prompt }: ProviderLoginRequest) {
  const seconds = maxAge === undefined ? undefined : Math.min(Math.floor(maxAge), LONGEST_AGE);
  return { prompt, acr_values: acrValues, max_age: seconds?.toString() };
}
