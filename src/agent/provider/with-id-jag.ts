import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { backOff, isLoss, pause } from '../http/send-patiently.ts';
import type { Service } from '../model.ts';
import type { ConsentRequired, LoginRequired } from '../outcomes.ts';
import { peerOf, type Tools } from '../tools.ts';
import { checkIdJag, type IdJagFacts } from './check-id-jag.ts';
import { mintOnce } from './mint.ts';

const TRIES = 3;

export interface MintRequest {
  readonly provider: string;
  readonly scopes?: readonly string[] | undefined;
}

/** What is done with an ID-JAG that was minted for it. */
interface Use<T> {
  /** @param isLast nothing is tried after this. */
  readonly present: (assertion: Secret, facts: IdJagFacts, isLast: boolean) => Promise<T>;
  /** Whether the service has seen or outlived it. */
  readonly isUsedUp: (result: T) => boolean;
}

/**
 * Mints an ID-JAG and presents it. After a lost answer, or when the service has seen or outlived it, a fresh one is
 * minted: none is ever sent twice (wire contract §3).
 */
export async function withIdJag<T>(
  tools: Tools,
  { issuer: audience, ...service }: Service,
  { provider, scopes }: MintRequest,
  { present, isUsedUp }: Use<T>,
): Promise<T | LoginRequired | ConsentRequired> {
  const mint = { provider, audience, resource: service.resource, scopes };
  for (let tries = 1; ; tries += 1) {
    const minted = await mintOnce(tools, mint);
    if (minted.status !== 'minted') return minted;
    const { assertion } = minted;
    try {
      const now = peerOf(tools, audience).now();
      const facts = checkIdJag(assertion, { ...service, issuer: audience }, now);
      const result = await present(assertion, facts, tries === TRIES);
      if (!isUsedUp(result) || tries === TRIES) return result;
    } catch (error) {
      if (!isLoss(error) || tries === TRIES) throw error;
    }
    await pause(tools, backOff(tools, tries));
  }
}

/** @param what cannot be done before the user has acted at the provider, as the start of a sentence. */
export function userNeeded(
  need: LoginRequired | ConsentRequired,
  provider: string,
  { issuer }: Service,
  what: string,
): AgentError {
  if (need.status === 'consent_required') {
    return new AgentError(`${what}: the user has not agreed at the provider to be named there.`, {
      code: 'consent_needed',
      hint: 'Let the user agree at the provider first, then try again.',
      next: { command: 'provider consent', args: [provider, '--audience', issuer] },
    });
  }
  const isOld = need.askedBy !== 'agent';
  const why = isOld
    ? 'sign-in at the provider is too old'
    : 'user is not signed in at the provider';
  return new AgentError(`${what}: the ${why}.`, {
    code: 'login_needed',
    hint: `Let the user sign in there${isOld ? ' again' : ''}, then try again.`,
    // A browser that is signed in already would bring back the sign-in that was too old.
    next: { command: 'provider login', args: isOld ? [provider, '--fresh'] : [provider] },
  });
}
