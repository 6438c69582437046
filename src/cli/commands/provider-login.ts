import { chooseProvider } from '../choose-service.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../exit-codes.ts';
import { openAgent } from '../open-agent.ts';
import { presentSignedIn, presentSigningIn } from '../presenters/provider-login.ts';
import { signIn } from '../sign-in.ts';
import type { BrowserMode } from '../terminal/browser.ts';

export interface ProviderLoginOptions {
  readonly browser: BrowserMode;
  readonly fresh?: true;
}

/** Signs the user in at a provider. */
export async function providerLogin(
  context: Context,
  url: string | undefined,
  options: ProviderLoginOptions,
): Promise<Outcome> {
  const { output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const session = await signIn(context, agent, provider, {
    browser: options.browser,
    fresh: options.fresh === true,
    onCeremony: (ceremony, issuer) => {
      // Nobody reads the screen under --json: the code goes out before the wait.
      if (output.json) output.result(presentSigningIn(context, issuer, ceremony));
    },
  });
  output.result(presentSignedIn(context, session));
  return 'done';
}
