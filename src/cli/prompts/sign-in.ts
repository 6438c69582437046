import type { Agent } from '../../agent/agent.ts';
import type { ProviderSession, SignInCeremony } from '../../agent/model.ts';
import type { ProviderLogin, ProviderLoginOutcome } from '../../agent/outcomes.ts';
import type { GivenClient } from '../../agent/requests.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { handoverOf, showHandover } from './handover-screen.ts';
import type { SignInFlow } from './options.ts';
import { whyNoBrowser } from './user-page.ts';
import { reportWait } from './wait-for-claim.ts';

export interface SignInOptions {
  readonly browser: BrowserMode;
  /** The user signs in again, even if the browser is already signed in. */
  readonly fresh: boolean;
  /** Seconds; how old the sign-in may be. */
  readonly maxAge?: number | undefined;
  /** How the user has to sign in, as the provider names it. */
  readonly acrValues?: string | undefined;
  /** What the provider knows this agent by; kept. */
  readonly client?: GivenClient | undefined;
  /** Its id there for this sign-in, where none is kept. */
  readonly clientId?: string | undefined;
  readonly flow?: SignInFlow | undefined;
  /** The port that the browser comes back to. */
  readonly redirectPort?: number | undefined;
  /** Called with the code and the issuer before the wait begins. */
  readonly onCeremony?: (ceremony: SignInCeremony, issuer: string) => void | Promise<void>;
}

/** The open sign-in, so that a code the user already has stays valid; else a new one. */
export async function openSignIn(
  context: Context,
  agent: Agent,
  provider: string,
  { acrValues, browser, client, clientId, flow, fresh, maxAge, redirectPort }: SignInOptions,
): Promise<ProviderLogin<SignInCeremony>> {
  const { signal } = context.interrupt;
  const ofApp = client?.id ?? clientId;
  // The agent's own sign-in is by code, on whichever device its user has.
  const canOpen = ofApp !== undefined && whyNoBrowser(context, browser) === undefined;
  const by = flow ?? (canOpen || redirectPort !== undefined ? 'browser' : 'any');
  if (
    !fresh &&
    (maxAge ?? acrValues ?? redirectPort) === undefined &&
    (client?.secret ?? client?.key) === undefined
  ) {
    const known = await agent.resumeProviderLogin({ provider, clientId: ofApp, signal });
    if (known.status === 'open' && known.login.ceremony.remaining > 0 && isBy(known.login, flow)) {
      return known.login;
    }
  }
  return agent.providerLogin({
    ...{ provider, client, clientId, maxAge, acrValues, redirectPort, signal },
    prompt: fresh ? 'login' : undefined,
    flow: by,
  });
}

function isBy({ ceremony }: ProviderLogin<SignInCeremony>, flow: SignInFlow | undefined): boolean {
  return flow === undefined || (ceremony.kind === 'page') === (flow === 'browser');
}

/** Signs the user in at a provider, by device code (RFC 8628) or on a page (RFC 8252). */
export async function signIn(
  context: Context,
  agent: Agent,
  provider: string,
  options: SignInOptions,
): Promise<ProviderSession> {
  const login = await openSignIn(context, agent, provider, options);
  await options.onCeremony?.(login.ceremony, login.provider);
  const outcome = await waitForSignIn(context, login, options);
  // There is no time limit, so only an interrupt ends the wait as pending.
  if (outcome.status === 'pending') throw new Interrupted();
  return outcome.session;
}

const KEPT_LINK = 'The link above works again once the next command waits for its answer.';

interface SignInWait extends Pick<SignInOptions, 'browser' | 'client' | 'clientId'> {
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
  login: ProviderLogin<SignInCeremony>,
  { browser, client, clientId, timeout }: SignInWait,
): Promise<SignInEnd> {
  const { signal } = context.interrupt;
  const id = client?.id ?? clientId;
  const ofApp = id === undefined ? [] : ['--client-id', id];
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
        next: nextLine(context, 'provider login', login.provider, ...ofApp),
      });
    case 'expired':
      throw new CliError('expired', {
        code: 'expired_token',
        message:
          login.ceremony.kind === 'page'
            ? 'The user did not sign in in time.'
            : 'The code expired before the user signed in.',
        next: nextLine(context, 'provider login', login.provider, ...ofApp),
      });
    case 'aborted':
      throw new CliError('interrupted', {
        code: 'interrupted',
        message: 'Interrupted. The sign-in stays open.',
        hint: login.ceremony.kind === 'page' ? KEPT_LINK : 'The code above still works.',
        next: nextLine(context, 'provider login', 'wait', login.provider),
      });
  }
}
