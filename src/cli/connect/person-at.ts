import type { ConnectPerson } from '../../agent/connect/connect-request.ts';
import { askForEmail } from '../ask-email.ts';
import { chooseType } from '../choose-type.ts';
import type { Context } from '../context.ts';
import type { OpenAgent } from '../open-agent.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { showClaim } from '../wait-for-claim.ts';
import { wantsAnotherCode } from '../wants-another-code.ts';
import { withUser } from '../with-user.ts';

/** The person at this terminal; under `--no-wait` nobody is handed anything. */
export function personAt(
  context: Context,
  { agent, store }: OpenAgent,
  { browser, wait }: { readonly browser: BrowserMode; readonly wait: boolean },
): ConnectPerson {
  return {
    type: async (offered) => (context.canAsk ? chooseType(context, store, offered) : undefined),
    email: async () => (context.canAsk ? askForEmail(context) : undefined),
    ...(wait && {
      claim: (open, end) => showClaim(context, open, { store, browser, wait: end }),
      anotherCode: () => wantsAnotherCode(context),
      atProvider: ({ service, scopes, attempt }) =>
        withUser(context, agent, browser, {
          audience: service,
          scopes,
          resource: service.resource,
          attempt,
        }),
    }),
  };
}
