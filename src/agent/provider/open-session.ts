import { withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Peer } from '../http/peer.ts';
import type { Credentials, KeptClient, ProviderSession } from '../model.ts';
import type { LoginRequired } from '../outcomes.ts';
import { isOver } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';
import { clientAtProvider, isOfClient } from './client-at-provider.ts';
import { discoverProvider, type Provider } from './provider.ts';
import { refreshSession } from './refresh-session.ts';

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
  if (issuer === undefined) {
    return { status: 'login_required', provider: issuer, askedBy: 'agent', maxAge: undefined };
  }
  const peer = peerOf(tools, issuer, stored?.clockOffset);
  const provider = await discoverProvider(tools, issuer);
  const client = clientAtProvider(tools, credentials, provider.issuer, asked.clientId);
  const loginRequired: LoginRequired = {
    status: 'login_required',
    provider: issuer,
    askedBy: 'agent',
    maxAge: undefined,
    ...(client.clientId !== AGENT_CLIENT_ID && { clientId: client.clientId }),
  };
  const isPast = stored !== undefined && isOver(stored.expiresAt, peer.now());
  const session =
    isPast && stored.refresh !== undefined
      ? await refreshSession(tools, provider, client, stored)
      : stored;
  if (session === undefined || isOver(session.expiresAt, peer.now())) {
    const isOpen = credentials.signIns.some(
      (signIn) => signIn.issuer === provider.issuer && !isOver(signIn.expiresAt, peer.now()),
    );
    return isOpen ? { ...loginRequired, isOpen } : loginRequired;
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
