import { decodeJwt, REFRESH_TOKEN_GRANT, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { clientAt, clientProblem, publicClient } from '../clients/client-at.ts';
import { putSession } from '../credentials/change-credentials.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Peer } from '../http/peer.ts';
import type { Credentials, KeptClient, ProviderSession } from '../model.ts';
import type { LoginRequired } from '../outcomes.ts';
import { readProblem } from '../problems/problem.ts';
import { isOver } from '../records/registration-state.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';
import { discoverProvider, type Provider } from './provider.ts';
import { readSignIn } from './sign-in-tokens.ts';

/**
 * The client that users sign in to at a provider: the one that is kept for it, else a public one of this id.
 * @param clientId by its id there. Default: `agent-auth`.
 */
export function clientAtProvider(
  tools: Tools,
  credentials: Credentials,
  provider: string,
  clientId = AGENT_CLIENT_ID,
): KeptClient {
  return clientAt(tools, credentials, provider) ?? publicClient(provider, clientId);
}

/** Whether a session is that of this client. */
export function isOfClient(session: ProviderSession, clientId: string): boolean {
  return (session.clientId ?? AGENT_CLIENT_ID) === clientId;
}

/** What the user of a client has to do first. */
export function loginRequired(
  provider: string | undefined,
  askedBy: LoginRequired['askedBy'],
  { clientId, ...more }: Partial<LoginRequired> = {},
): LoginRequired {
  const named = clientId !== undefined && clientId !== AGENT_CLIENT_ID && { clientId };
  return { status: 'login_required', provider, askedBy, maxAge: undefined, ...more, ...named };
}

/** A stored sign-in that is good, and the provider as it is now. */
export interface OpenSession {
  readonly provider: Provider;
  readonly session: ProviderSession;
  /** The client that the user signed in to. */
  readonly client: KeptClient;
  readonly peer: Peer;
}

/** Whose sign-in, and where. */
export interface SessionAsked {
  /** Default: the one provider where the user is signed in. */
  readonly provider?: string | undefined;
  /** The client by its id at the provider, where none is kept. Default: `agent-auth`. */
  readonly clientId?: string | undefined;
}

/**
 * The sign-in to act with. A URL that is no provider is found out before anybody is asked to sign
 * in there.
 * @throws AgentError `provider_unknown` when none is named and it is not clear which one is meant, or as
 *   `discoverProvider`.
 */
export async function openSession(
  tools: Tools,
  asked: SessionAsked,
): Promise<OpenSession | LoginRequired> {
  const credentials = await tools.store.read();
  const stored = findSession(tools, credentials, asked);
  const issuer = stored?.issuer ?? asked.provider;
  if (issuer === undefined) return loginRequired(issuer, 'agent');
  const peer = peerOf(tools, issuer, stored?.clockOffset);
  const provider = await discoverProvider(tools, issuer);
  const client = clientAtProvider(tools, credentials, provider.issuer, asked.clientId);
  const isPast = stored !== undefined && isOver(stored.expiresAt, peer.now());
  const session =
    isPast && stored.refresh !== undefined
      ? await refreshSession(tools, provider, client, stored)
      : stored;
  if (session === undefined || isOver(session.expiresAt, peer.now())) {
    const isOpen = credentials.signIns.some(
      (signIn) => signIn.issuer === provider.issuer && !isOver(signIn.expiresAt, peer.now()),
    );
    const { clientId } = client;
    return loginRequired(issuer, 'agent', isOpen ? { clientId, isOpen } : { clientId });
  }
  return { provider, session, client, peer };
}

function findSession(
  tools: Tools,
  credentials: Credentials,
  { clientId, provider }: SessionAsked,
): ProviderSession | undefined {
  const own = ownSessions(tools, credentials, clientId);
  if (provider !== undefined) {
    const named = withoutFinalSlash(provider);
    return own.find(({ issuer }) => withoutFinalSlash(issuer) === named);
  }
  const [only, ...others] = own;
  if (only === undefined || others.length > 0) {
    throw new AgentError(
      only === undefined
        ? 'The user is not signed in at any provider.'
        : 'The user is signed in at several providers.',
      {
        code: 'provider_unknown',
        hint: only === undefined ? 'Sign in first.' : 'Name the one to use.',
        next: only === undefined ? { command: 'provider login', args: ['URL'] } : undefined,
      },
    );
  }
  return only;
}

/** The sign-ins that the agent acts with, one a provider: those of the client that it is there. */
export function ownSessions(
  tools: Tools,
  credentials: Credentials,
  clientId?: string,
): readonly ProviderSession[] {
  return credentials.providers.filter((session) =>
    isOfClient(session, clientAtProvider(tools, credentials, session.issuer, clientId).clientId),
  );
}

/**
 * The next ID token, without the user (OpenID Connect Core §12). One process at a time: a refresh token that is used
 * twice may end the sign-in (RFC 9700 §4.14.2).
 * @returns `undefined` where the provider no longer takes it: the user has to sign in.
 */
export async function refreshSession(
  tools: Tools,
  provider: Provider,
  client: KeptClient,
  stale: ProviderSession,
): Promise<ProviderSession | undefined> {
  const release = await tools.store.lock(`sign-in ${provider.issuer}`, { signal: tools.signal });
  try {
    const { providers } = await tools.store.read();
    const session = providers.find(
      ({ issuer, clientId }) => issuer === stale.issuer && clientId === stale.clientId,
    );
    // Another process was first.
    if (session !== undefined && session.idToken.reveal() !== stale.idToken.reveal()) {
      return session;
    }
    const { refresh } = session ?? stale;
    if (refresh === undefined) return undefined;
    const request = await clientRequest(tools, provider, client, {
      grant_type: REFRESH_TOKEN_GRANT,
      refresh_token: refresh.reveal(),
    });
    const peer = peerOf(tools, provider.issuer);
    // Never twice: the answer that was lost may have replaced it.
    const answer = await peer.send(request, tools.signal);
    const problem = readProblem(answer, 'provider');
    if (problem?.code === 'invalid_grant') return undefined;
    if (problem !== undefined) throw clientProblem(problem, client, 'provider');
    const subject = decodeJwt(stale.idToken.reveal())?.payload['sub'];
    const next = await readSignIn(tools, provider, client, answer, {
      refresh,
      subject: typeof subject === 'string' ? subject : undefined,
    });
    await changeStore(tools, (current) => putSession(current, next));
    return next;
  } finally {
    await release();
  }
}
