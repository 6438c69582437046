import { type AudienceOptions, chooseAudience } from '../choose/audience.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseProvider } from '../choose/service.ts';
import { waitForConsent } from '../handover/wait-for-consent.ts';
import { needsUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { presentConsent, presentConsentPending } from './present-consent.ts';

export interface ProviderConsentWaitOptions extends AudienceOptions {
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Waits until the user has agreed at the provider's page, which somebody was shown before. */
export async function providerConsentWait(
  context: Context,
  url: string | undefined,
  options: ProviderConsentWaitOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const { issuer: audience } = service;
  const asked = await agent.providerConsent({
    provider,
    audience,
    scopes,
    signal: interrupt.signal,
  });
  switch (asked.status) {
    case 'given':
      break;
    case 'login_required':
      throw needsUser(context, asked);
    case 'aborted':
      throw new Interrupted();
    case 'consent_required': {
      const { browser, timeout } = options;
      // Nobody reads the screen under --json: the page goes out before the wait.
      if (output.json) output.result(presentConsentPending(context, asked, scopes));
      const ended = await waitForConsent(context, agent, browser, asked, { scopes, timeout });
      if (ended === 'pending') {
        if (!output.json) output.result(presentConsentPending(context, asked, scopes));
        return 'pending';
      }
      if (ended !== 'given') throw needsUser(context, ended);
    }
  }
  output.result(presentConsent(context, provider, audience));
  return 'done';
}
