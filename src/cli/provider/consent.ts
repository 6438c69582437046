import { type AudienceOptions, chooseAudience } from '../choose/audience.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseProvider } from '../choose/service.ts';
import { needsUser, withUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentConsent, presentConsentPending } from './present-consent.ts';

export interface ProviderConsentOptions extends AudienceOptions {
  readonly browser: BrowserMode;
  readonly wait: boolean;
}

/** Takes the user to the provider's consent page for one audience, unless consent is there already. */
export async function providerConsent(
  context: Context,
  url: string | undefined,
  options: ProviderConsentOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const attempt = () =>
    agent.providerConsent({
      provider,
      audience: service.issuer,
      scopes,
      signal: interrupt.signal,
    });
  if (!options.wait) {
    const outcome = await attempt();
    if (outcome.status === 'login_required') throw needsUser(context, outcome);
    if (outcome.status === 'consent_required') {
      output.result(presentConsentPending(context, outcome, scopes));
      return 'pending';
    }
  }
  await withUser(context, agent, options.browser, {
    audience: service,
    scopes,
    onConsent: (needed) => {
      // Nobody reads the screen under --json: the page goes out before the wait.
      if (output.json) output.result(presentConsentPending(context, needed, scopes));
    },
    attempt,
  });
  output.result(presentConsent(context, provider, service.issuer));
  return 'done';
}
