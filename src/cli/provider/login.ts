import type { CredentialStore } from '../../agent/credentials/store.ts';
import type { ProviderSession, SignInCeremony } from '../../agent/model.ts';
import type { UnansweredPolls } from '../../agent/outcomes.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { ceremonyJson, waitingText } from '../prompts/ceremony.ts';
import { readClient } from '../prompts/client.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { absoluteUrl, chooseProvider, isServiceKnown } from '../prompts/service.ts';
import { openSignIn, signIn, waitForSignIn } from '../prompts/sign-in.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine, nextText } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';
import type { LoginOptions, LoginWaitOptions } from './options.ts';

/** Signs the user in at a provider. */
export async function providerLogin(
  context: Context,
  url: string | undefined,
  { browser, flow, fresh, redirectPort, wait, ...given }: LoginOptions,
): Promise<Outcome> {
  const { output } = context;
  if (redirectPort !== undefined && flow === 'device') {
    throw usageError('--redirect-port is for a sign-in on a page, and --flow device has none.', {
      hint: 'Leave one of the two out.',
    });
  }
  const client = await readClient(context, given);
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const clientId = client === undefined ? await keptClientId(store, provider) : undefined;
  const options = { browser, client, clientId, flow, fresh: fresh === true, redirectPort };
  if (!wait) {
    const login = await openSignIn(context, agent, provider, options);
    output.result(presentSigningIn(context, login.provider, login.ceremony));
    return 'pending';
  }
  const session = await signIn(context, agent, provider, {
    ...options,
    onCeremony: (ceremony, issuer) => {
      // With --json no screen is read: the code is printed before the wait.
      if (output.json) output.result(presentSigningIn(context, issuer, ceremony));
    },
  });
  return output.result(presentSignedIn(context, session, await isServiceKnown(context, store)));
}

/** Whom the user signs in to there, where that is not the agent. */
async function keptClientId(store: CredentialStore, provider: string): Promise<string | undefined> {
  const { clients = [] } = await store.read();
  const isMeant = (issuer: string) => withoutFinalSlash(issuer) === withoutFinalSlash(provider);
  return clients.find(({ issuer }) => isMeant(issuer))?.clientId;
}

/** Waits for a sign-in that is open, even one that another process opened. Never opens one. */
export async function providerLoginWait(
  context: Context,
  url: string | undefined,
  { browser, timeout }: LoginWaitOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent, store } = await openAgent(context);
  const provider =
    url === undefined ? undefined : absoluteUrl(url, 'The provider URL', context.options);
  const known = await agent.resumeProviderLogin({ provider, signal: interrupt.signal });
  if (known.status === 'not_started') {
    if (known.session === undefined) {
      throw new CliError('failed', {
        code: 'no_sign_in_open',
        message: 'No sign-in is open.',
        next: nextLine(context, 'provider login', provider ?? 'URL'),
      });
    }
    return output.result(
      presentSignedIn(context, known.session, await isServiceKnown(context, store)),
    );
  }
  const { login } = known;
  const ended = await waitForSignIn(context, login, { browser, timeout });
  if (ended.status === 'pending') {
    const { ceremony, unanswered } = ended;
    output.result(presentSigningIn(context, login.provider, ceremony, unanswered));
    return 'pending';
  }
  return output.result(
    presentSignedIn(context, ended.session, await isServiceKnown(context, store)),
  );
}

function presentSigningIn(
  context: Context,
  provider: string,
  ceremony: SignInCeremony,
  unanswered?: UnansweredPolls,
): Rendering {
  const next = nextLine(context, 'provider login', 'wait', provider);
  return {
    schema: 'providerLogin',
    json: () => ({
      status: 'pending',
      provider,
      sign_in: ceremonyJson(context, provider, ceremony),
      ...(unanswered !== undefined && { unanswered: { ...unanswered } }),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} Waiting for the user to sign in at ${new URL(provider).host}:`,
        ...waitingText(style, ceremony, 'The provider', unanswered),
        nextText(style, next),
      ].join('\n'),
  };
}

/** @param hasService whether `register` finds a service by itself. */
function presentSignedIn(
  context: Context,
  session: ProviderSession,
  hasService: boolean,
): Rendering {
  const where = hasService ? [] : ['URL'];
  // An app is known to its services; the agent registers.
  const next =
    session.clientId === undefined
      ? nextLine(context, 'register', ...where, '--provider', session.issuer)
      : nextLine(
          context,
          'connect',
          'URL',
          ...['--client-id', 'ID', '--client-secret', '@FILE', '--provider', session.issuer],
        );
  return {
    schema: 'providerLogin',
    json: () => ({
      status: 'signed_in',
      provider: session.issuer,
      account: session.account,
      ...(session.clientId !== undefined && { client_id: session.clientId }),
      ...endJson('expires_at', session.expiresAt, context.clocks.now(session.issuer)),
      next,
    }),
    human: (style) =>
      `${style.green('✓')} Signed in at ${style.bold(session.issuer)}${session.account === null ? '' : ` as ${session.account}`}.\n  Next: ${style.cyan(next.line)}`,
  };
}
