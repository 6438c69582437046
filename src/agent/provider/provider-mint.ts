import { MINUTE, SECOND, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Abortable } from '../context.ts';
import { pause, sendPatiently } from '../http/send-patiently.ts';
import type { Credentials, ProviderSession } from '../model.ts';
import type { ConsentRequired, LoginRequired, Minted, MintOutcome } from '../outcomes.ts';
import { isOver } from '../records/registration-state.ts';
import type { ProviderMintRequest } from '../requests.ts';
import { peerOf, type Tools } from '../tools.ts';
import { type Mint, mintRequest, processMint } from './mint.ts';
import { discoverProvider } from './provider.ts';

/** Between two questions whether the user has agreed meanwhile. */
const CONSENT_INTERVAL = 5 * SECOND;
const CONSENT_TIMEOUT = 10 * MINUTE;

export async function providerMint(
  tools: Tools,
  request: ProviderMintRequest,
): Promise<MintOutcome> {
  const { clock } = tools.context;
  const { onConsentRequired, timeout = CONSENT_TIMEOUT, signal } = request;
  const first = await mintOnce(tools, request);
  if (first.status !== 'consent_required' || onConsentRequired === undefined) return first;
  onConsentRequired(first);
  const end = clock.now() + timeout;
  try {
    while (clock.now() + CONSENT_INTERVAL <= end) {
      await pause(tools.context, CONSENT_INTERVAL, signal);
      const outcome = await mintOnce(tools, request);
      if (outcome.status !== 'consent_required') return outcome;
    }
  } catch (error) {
    if (error instanceof AgentError && error.code === 'aborted') return { status: 'aborted' };
    throw error;
  }
  return first;
}

/** One mint with the stored session (RFC 8693). */
export async function mintOnce(
  tools: Tools,
  request: Mint & Abortable & { readonly provider?: string | undefined },
): Promise<Minted | ConsentRequired | LoginRequired> {
  const session = findSession(await tools.store.read(), request.provider);
  const issuer = session?.issuer ?? request.provider;
  const loginRequired: LoginRequired = {
    status: 'login_required',
    provider: issuer,
    askedBy: 'agent',
    maxAge: undefined,
  };
  if (session === undefined) return loginRequired;
  const peer = peerOf(tools, session.issuer, session.clockOffset);
  const provider = await discoverProvider(tools, session.issuer, request.signal);
  if (isOver(session.expiresAt, peer.now())) return loginRequired;
  // Minting leaves nothing behind at the provider, so it may be asked again.
  const answer = await sendPatiently(
    tools.context,
    peer,
    mintRequest(provider, session.idToken, request),
    { signal: request.signal, repeatAfterLoss: true },
  );
  return processMint(provider, request, answer, peer.now());
}

/** @throws AgentError `provider_unknown` when none is named and it is not clear which one is meant. */
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
        next: only === undefined ? { command: 'provider login', args: [] } : undefined,
      },
    );
  }
  return only;
}
