import type { Agent } from '../../agent/agent.ts';
import type { ProviderSession, TypeThereCeremony } from '../../agent/model.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../../agent/outcomes.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { handoverOf, showHandover } from './handover-screen.ts';
import { reportWait } from './report-wait.ts';

export interface SignInOptions {
  readonly browser: BrowserMode;
  /** The user signs in again, even if the browser is already signed in. */
  readonly fresh: boolean;
  /** Seconds; how old the sign-in may be. */
  readonly maxAge?: number | undefined;
  /** Called with the code and the issuer before the wait begins. */
  readonly onCeremony?: (ceremony: TypeThereCeremony, issuer: string) => void;
}

/** The open sign-in, so that a code the user already has stays valid; else a new one. */
export async function openSignIn(
  { interrupt }: Context,
  agent: Agent,
  provider: string,
  { fresh, maxAge }: Pick<SignInOptions, 'fresh' | 'maxAge'>,
): Promise<ProviderLogin> {
  const { signal } = interrupt;
  if (!fresh && maxAge === undefined) {
    const known = await agent.resumeProviderLogin({ provider, signal });
    if (known.status === 'open' && known.login.ceremony.remaining > 0) return known.login;
  }
  return agent.providerLogin({ provider, prompt: fresh ? 'login' : undefined, maxAge, signal });
}

/** Signs the user in at a provider by device code (RFC 8628). */
export async function signIn(
  context: Context,
  agent: Agent,
  provider: string,
  { browser, fresh, maxAge, onCeremony = () => {} }: SignInOptions,
): Promise<ProviderSession> {
  const login = await openSignIn(context, agent, provider, { fresh, maxAge });
  onCeremony(login.ceremony, login.provider);
  const outcome = await waitForSignIn(context, login, { browser });
  // There is no time limit, so only an interrupt ends the wait as pending.
  if (outcome.status === 'pending') throw new Interrupted();
  return outcome.session;
}

interface SignInWait {
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
}

type SignInEnd = Extract<ProviderLoginOutcome, { readonly status: 'signed_in' | 'pending' }>;

/**
 * Shows the code and waits for the sign-in.
 * @throws CliError when it was denied or the code expired.
 */
export async function waitForSignIn(
  context: Context,
  login: ProviderLogin,
  { browser, timeout }: SignInWait,
): Promise<SignInEnd> {
  const { signal } = context.interrupt;
  const handover = handoverOf(context, login.ceremony, {
    heading: `Sign in at ${new URL(login.provider).host}`,
    url: login.provider,
    account: undefined,
  });
  const outcome = await showHandover(context, handover, browser, (progress) =>
    login.wait({ signal, timeout, onEvent: reportWait(progress) }),
  );
  switch (outcome.status) {
    case 'signed_in':
    case 'pending':
      return outcome;
    case 'denied':
      throw new CliError('refused', {
        code: 'access_denied',
        message: 'The user denied the sign-in.',
        next: nextLine(context, 'provider login', login.provider),
      });
    case 'expired':
      throw new CliError('expired', {
        code: 'expired_token',
        message: 'The code expired before the user signed in.',
        next: nextLine(context, 'provider login', login.provider),
      });
    case 'aborted':
      throw new CliError('interrupted', {
        code: 'interrupted',
        message: 'Interrupted. The sign-in stays open.',
        hint: 'The code above still works.',
        next: nextLine(context, 'provider login', 'wait', login.provider),
      });
  }
}
