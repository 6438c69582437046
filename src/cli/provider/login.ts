import { openAgent } from '../choose/open-agent.ts';
import { chooseProvider } from '../choose/service.ts';
import { openSignIn, signIn } from '../handover/sign-in.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentSignedIn, presentSigningIn } from './present-login.ts';

export interface ProviderLoginOptions {
  readonly browser: BrowserMode;
  readonly fresh?: true;
  readonly wait: boolean;
}

/** Signs the user in at a provider. */
export async function providerLogin(
  context: Context,
  url: string | undefined,
  { browser, fresh, wait }: ProviderLoginOptions,
): Promise<Outcome> {
  const { output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  if (!wait) {
    const login = await openSignIn(context, agent, provider, { fresh: fresh === true });
    output.result(presentSigningIn(context, login.provider, login.ceremony));
    return 'pending';
  }
  const session = await signIn(context, agent, provider, {
    browser,
    fresh: fresh === true,
    onCeremony: (ceremony, issuer) => {
      // Nobody reads the screen under --json: the code goes out before the wait.
      if (output.json) output.result(presentSigningIn(context, issuer, ceremony));
    },
  });
  output.result(presentSignedIn(context, session));
  return 'done';
}
