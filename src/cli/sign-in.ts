import type { Agent } from '../agent/agent.ts';
import type { Ceremony, ProviderSession } from '../agent/model.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { handoverOf, showHandover } from './handover-screen.ts';
import { Interrupted } from './interrupted.ts';
import { nextLine } from './next-line.ts';
import { reportWait } from './report-wait.ts';
import type { BrowserMode } from './terminal/browser.ts';

/**
 * Signs the user in at a provider by device code (RFC 8628).
 * @param onCeremony is told the code before the wait begins.
 */
export async function signIn(
  context: Context,
  agent: Agent,
  provider: string,
  browser: BrowserMode,
  onCeremony: (ceremony: Ceremony) => void = () => {},
): Promise<ProviderSession> {
  const { signal } = context.interrupt;
  const login = await agent.providerLogin({ provider, signal });
  onCeremony(login.ceremony);
  const handover = handoverOf(context, login.ceremony, {
    heading: `Sign in at ${new URL(login.provider).host}`,
    address: login.provider,
    account: undefined,
  });
  const outcome = await showHandover(context, handover, browser, (progress) =>
    login.wait({ signal, onEvent: reportWait(progress) }),
  );
  const next = nextLine(context, 'provider login', provider);
  switch (outcome.status) {
    case 'signed_in':
      return outcome.session;
    case 'denied':
      throw new CliError('refused', {
        code: 'access_denied',
        message: 'The user refused the sign-in.',
        next,
      });
    case 'expired':
      throw new CliError('expired', {
        code: 'expired_token',
        message: 'Nobody signed in before the code was over.',
        next,
      });
    case 'aborted':
      throw new Interrupted();
  }
}
