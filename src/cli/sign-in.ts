import type { Agent } from '../agent/agent.ts';
import type { Ceremony, ProviderSession } from '../agent/model.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { handoverOf, showHandover } from './handover-screen.ts';
import { Interrupted } from './interrupted.ts';
import { nextLine } from './next-line.ts';
import { reportWait } from './report-wait.ts';
import type { BrowserMode } from './terminal/browser.ts';

export interface SignInOptions {
  readonly browser: BrowserMode;
  /** The user signs in anew, even where the browser is signed in already. */
  readonly fresh: boolean;
  /** Seconds; how old the sign-in may be. */
  readonly maxAge?: number | undefined;
  /** Told the code, and whose it is, before the wait begins. */
  readonly onCeremony?: (ceremony: Ceremony, issuer: string) => void;
}

/** Signs the user in at a provider by device code (RFC 8628). */
export async function signIn(
  context: Context,
  agent: Agent,
  provider: string,
  { browser, fresh, maxAge, onCeremony = () => {} }: SignInOptions,
): Promise<ProviderSession> {
  const { signal } = context.interrupt;
  const prompt = fresh ? 'login' : undefined;
  const login = await agent.providerLogin({ provider, prompt, maxAge, signal });
  onCeremony(login.ceremony, login.provider);
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
