import type { ConnectUser } from '../../agent/connect/connect-request.ts';
import { askForEmail } from '../choose/email.ts';
import type { OpenAgent } from '../choose/open-agent.ts';
import { chooseType } from '../choose/type.ts';
import { canTypeCode, codeAsker } from '../handover/code-screen.ts';
import { showClaim, wantsAnotherCode } from '../handover/wait-for-claim.ts';
import { withUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { BrowserMode } from '../terminal/browser.ts';

/** The user at this terminal; with `--no-wait` nothing is handed to them. */
export function connectUser(
  context: Context,
  { agent, store }: OpenAgent,
  { browser, wait }: { readonly browser: BrowserMode; readonly wait: boolean },
): ConnectUser {
  return {
    type: async (offered) => (context.canAsk ? chooseType(context, store, offered) : undefined),
    email: async () => (context.canAsk ? askForEmail(context) : undefined),
    ...(wait && {
      claim: (open, end) => showClaim(context, open, { store, browser, wait: end }),
      ...(canTypeCode(context) && { code: codeAsker(context, { store, browser }) }),
      anotherCode: () => wantsAnotherCode(context),
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
