import { chooseAudienceIssuer } from '../choose/audience.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseProvider } from '../choose/service.ts';
import { withUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentConsentRevoked, waitsElsewhere } from './present-revoke.ts';

export interface ProviderRevokeOptions {
  readonly audience?: string;
  readonly browser: BrowserMode;
}

/**
 * Takes back the consent to be identified to one audience. Done when the service knows, or will be told;
 * pending when nobody tells it unless a person sees to it: by revoking again, or at the service.
 */
export async function providerRevoke(
  context: Context,
  url: string | undefined,
  options: ProviderRevokeOptions,
): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const audience = await chooseAudienceIssuer(context, agent, store, options.audience);
  const outcome = await withUser(context, agent, options.browser, {
    audience: { issuer: audience, name: undefined },
    scopes: undefined,
    attempt: () => agent.providerRevoke({ provider, audience, signal: context.interrupt.signal }),
  });
  context.output.result(presentConsentRevoked(context, outcome));
  return outcome.event === 'parked' || waitsElsewhere(outcome) ? 'pending' : 'done';
}
