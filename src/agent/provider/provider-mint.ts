import { MINUTE, SECOND } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Abortable } from '../context.ts';
import { pause, sendPatiently } from '../http/send-patiently.ts';
import type { ConsentRequired, LoginRequired, Minted, MintOutcome } from '../outcomes.ts';
import type { ProviderMintRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { type Mint, mintRequest, processMint } from './mint.ts';
import { openSession } from './open-session.ts';

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
  const opened = await openSession(tools, request.provider, request.signal);
  if ('status' in opened) return opened;
  const { peer, provider, session } = opened;
  // Minting leaves nothing behind at the provider, so it may be asked again.
  const answer = await sendPatiently(
    tools.context,
    peer,
    mintRequest(provider, session.idToken, request),
    { signal: request.signal, repeatAfterLoss: true },
  );
  return processMint(provider, request, answer, answer.sentAt);
}
