import { absoluteUrl } from '../choose/absolute-url.ts';
import { openAgent } from '../choose/open-agent.ts';
import { waitForSignIn } from '../handover/sign-in.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentSignedIn, presentSigningIn } from './present-login.ts';

export interface ProviderLoginWaitOptions {
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Waits for a sign-in that is open, also one that another process opened. Never opens one. */
export async function providerLoginWait(
  context: Context,
  url: string | undefined,
  { browser, timeout }: ProviderLoginWaitOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent } = await openAgent(context);
  const provider = url === undefined ? undefined : absoluteUrl(url);
  const known = await agent.resumeProviderLogin({ provider, signal: interrupt.signal });
  if (known.status === 'not_started') {
    if (known.session === undefined) {
      throw new CliError('failed', {
        code: 'no_sign_in_open',
        message: 'No sign-in is open.',
        next: nextLine(context, 'provider login', provider ?? 'URL'),
      });
    }
    output.result(presentSignedIn(context, known.session));
    return 'done';
  }
  const { login } = known;
  const ended = await waitForSignIn(context, login, { browser, timeout });
  if (ended.status === 'pending') {
    output.result(presentSigningIn(context, login.provider, ended.ceremony));
    return 'pending';
  }
  output.result(presentSignedIn(context, ended.session));
  return 'done';
}
