import type { ConsentOutcome } from '../outcomes.ts';
import type { ProviderConsentRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { providerMint } from './provider-mint.ts';

/** There is no question "has the user agreed?" on the wire: minting is how one learns. */
export async function providerConsent(
  tools: Tools,
  request: ProviderConsentRequest,
): Promise<ConsentOutcome> {
  const outcome = await providerMint(tools, request);
  return outcome.status === 'minted'
    ? { status: 'given', provider: outcome.provider, audience: outcome.audience }
    : outcome;
}
