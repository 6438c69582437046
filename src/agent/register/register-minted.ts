import { AgentError } from '../agent-error.ts';
import type { Registration, Service } from '../model.ts';
import type { ConsentRequired, LoginRequired, Registered } from '../outcomes.ts';
import { type MintRequest, userNeeded, withIdJag } from '../provider/with-id-jag.ts';
import type { Tools } from '../tools.ts';
import { sendIdentity } from './send-identity.ts';
import { type Identified, settleRegistration } from './settle-registration.ts';

/** Registers with an ID-JAG that is minted for it. */
export function registerMinted(
  tools: Tools,
  service: Service,
  request: MintRequest,
): Promise<Identified | LoginRequired | ConsentRequired> {
  const { provider } = request;
  return withIdJag<Identified>(tools, service, request, {
    present: async (assertion, { email, warnings }, isLast) => {
      const type = 'identity_assertion' as const;
      const result = await sendIdentity(tools, service, { type, assertion }, isLast);
      return { result, who: { type, email, provider }, warnings };
    },
    isUsedUp: ({ result }) => result.kind === 'mint_again',
  });
}

/**
 * The last rung of wire contract §6: a fresh ID-JAG of the provider that the registration came from, when the
 * user is signed in there. `undefined` when the user is not, or the service refuses.
 * @throws AgentError `claim_pending` when the user has to confirm the link again, `login_needed` or
 *   `consent_needed` when the provider wants its user first.
 */
export async function registerAgain(
  given: Tools,
  service: Service,
  { provider, members }: Registration,
): Promise<Pick<Registered, 'registration' | 'token' | 'warnings'> | undefined> {
  const tools = { ...given, members: members ?? given.members };
  const { providers } = await tools.store.read();
  if (provider === null || !providers.some(({ issuer }) => issuer === provider)) return undefined;
  const over = 'The registration is no longer valid, and another cannot be made';
  const minted = await registerMinted(tools, service, { provider });
  if ('status' in minted) throw userNeeded(minted, provider, service, over);
  if (minted.result.kind === 'refused' || minted.result.kind === 'mint_again') return undefined;
  const outcome = await settleRegistration(tools, service, minted);
  switch (outcome.status) {
    case 'registered':
      return outcome;
    case 'claim_needed':
    case 'claim_pending':
      throw new AgentError('The user has to confirm the link to the account again.', {
        code: 'claim_pending',
        hint: 'Show the user the code.',
        next: { command: 'claim', args: [] },
      });
    case 'login_required':
    case 'consent_required':
      throw userNeeded(outcome, provider, service, over);
  }
}
