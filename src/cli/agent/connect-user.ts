import type { ConnectUser } from '../../agent/connect/connect-request.ts';
import type { SignInFlow } from '../choose/client.ts';
import { askForEmail } from '../choose/email.ts';
import type { OpenAgent } from '../choose/open-agent.ts';
import { chooseType } from '../choose/type.ts';
import { canTypeCode, codeAsker } from '../handover/code-screen.ts';
import { showClaim, wantsAnotherCode } from '../handover/wait-for-claim.ts';
import { withUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentSigningIn } from './connect-steps.ts';

/** The user at this terminal; with `--no-wait` nothing is handed to them. */
export function connectUser(
  context: Context,
  { agent, store }: OpenAgent,
  {
    browser,
    flow,
    wait,
  }: {
    readonly browser: BrowserMode;
    readonly flow?: SignInFlow;
    readonly wait: boolean;
  },
): ConnectUser {
  return {
    type: async (offered) => (context.canAsk ? chooseType(context, store, offered) : undefined),
    email: async () => (context.canAsk ? askForEmail(context) : undefined),
    ...(wait && {
      claim: (open, end) => showClaim(context, open, { store, browser, wait: end }),
      ...(canTypeCode(context) && { code: codeAsker(context, { store, browser }) }),
      anotherCode: () => wantsAnotherCode(context),
      access: ({ service, scopes, attempt }) =>
        withUser(context, agent, browser, {
          audience: service,
          scopes,
          resource: service.resource,
          send: attempt,
          flow,
          onSignIn: (ceremony, provider) => {
            // With --json no screen is read: what the user needs is printed before the wait.
            if (context.output.json) {
              context.output.event(presentSigningIn(context, provider, ceremony));
            }
          },
        }),
      atProvider: ({ service, scopes, attempt }) =>
        withUser(context, agent, browser, {
          audience: service,
          scopes,
          resource: service.resource,
          send: attempt,
        }),
    }),
  };
}
