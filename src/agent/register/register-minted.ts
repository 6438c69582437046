import { backOff, isLoss, pause } from '../http/send-patiently.ts';
import type { Service } from '../model.ts';
import type { ConsentRequired, LoginRequired, Minted } from '../outcomes.ts';
import { checkIdJag } from '../provider/check-id-jag.ts';
import { mintOnce } from '../provider/mint.ts';
import { peerOf, type Tools } from '../tools.ts';
import { sendIdentity } from './send-identity.ts';
import type { Identified } from './settle-registration.ts';

const TRIES = 3;

interface MintRequest {
  readonly provider: string;
  readonly scopes?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Registers with an ID-JAG that is minted for it. After a lost answer, or when the service has seen or
 * outlived it, a fresh one is minted: none is ever sent twice (wire contract §3).
 */
export async function registerMinted(
  tools: Tools,
  service: Service,
  request: MintRequest,
): Promise<Identified | LoginRequired | ConsentRequired> {
  const { signal } = request;
  for (let tries = 1; ; tries += 1) {
    const minted = await mintOnce(tools, {
      provider: request.provider,
      audience: service.issuer,
      resource: service.resource,
      scopes: request.scopes,
      signal,
    });
    if (minted.status !== 'minted') return minted;
    try {
      const sent = await present(tools, service, minted, signal, tries === TRIES);
      if (sent.result.kind !== 'mint_again' || tries === TRIES) return sent;
    } catch (error) {
      if (!isLoss(error) || tries === TRIES) throw error;
    }
    await pause(tools.context, backOff(tools.context, tries), signal);
  }
}

async function present(
  tools: Tools,
  service: Service,
  { assertion, provider }: Minted,
  signal: AbortSignal | undefined,
  isLast: boolean,
): Promise<Identified> {
  const { email, warnings } = checkIdJag(assertion, service, peerOf(tools, service.issuer).now());
  const type = 'identity_assertion' as const;
  const result = await sendIdentity(tools, service, { type, assertion }, signal, isLast);
  return { result, who: { type, email, provider }, warnings };
}
