import { withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Peer } from '../http/peer.ts';
import type { Credentials, ProviderSession } from '../model.ts';
import type { LoginRequired } from '../outcomes.ts';
import { isOver } from '../records/registration-state.ts';
import { peerOf, type Tools } from '../tools.ts';
import { discoverProvider, type Provider } from './provider.ts';

/** A stored sign-in that is good, and the provider as it is now. */
export interface OpenSession {
  readonly provider: Provider;
  readonly session: ProviderSession;
  readonly peer: Peer;
}

/**
 * The sign-in to act with. A URL that is no provider is found out before anybody is asked to sign
 * in there.
 * @throws AgentError `provider_unknown` when none is named and it is not clear which one is meant, or as
 *   `discoverProvider`.
 */
export async function openSession(
  tools: Tools,
  named: string | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenSession | LoginRequired> {
  const credentials = await tools.store.read();
  const session = findSession(credentials, named);
  const issuer = session?.issuer ?? named;
  const loginRequired: LoginRequired = {
    status: 'login_required',
    provider: issuer,
    askedBy: 'agent',
    maxAge: undefined,
  };
  if (issuer === undefined) return loginRequired;
  const peer = peerOf(tools, issuer, session?.clockOffset);
  const provider = await discoverProvider(tools, issuer, signal);
  if (session === undefined || isOver(session.expiresAt, peer.now())) {
    const isOpen = credentials.signIns.some(
      (signIn) => signIn.issuer === provider.issuer && !isOver(signIn.expiresAt, peer.now()),
    );
    return isOpen ? { ...loginRequired, isOpen } : loginRequired;
  }
  return { provider, session, peer };
}

function findSession(
  { providers }: Credentials,
  provider: string | undefined,
): ProviderSession | undefined {
  if (provider !== undefined) {
    const named = withoutFinalSlash(provider);
    return providers.find(({ issuer }) => withoutFinalSlash(issuer) === named);
  }
  const [only, ...others] = providers;
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
