import type { ConsentRequired } from '../../agent/outcomes.ts';
import { chooseAudience } from '../prompts/audience.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { chooseProvider } from '../prompts/service.ts';
import { displayUrl, FOREIGN_PAGE } from '../prompts/user-page.ts';
import { waitForConsent } from '../prompts/wait-for-consent.ts';
import { needsUser, withUser } from '../prompts/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine, nextText } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import type { ConsentOptions, ConsentWaitOptions } from './options.ts';

/** Takes the user to the provider's consent page for one audience, unless consent is already given. */
export async function providerConsent(
  context: Context,
  url: string | undefined,
  options: ConsentOptions,
): Promise<Outcome> {
  const { output } = context;
  const { agent, provider, scopes, send, service } = await openConsent(context, url, options);
  if (!options.wait) {
    const outcome = await send();
    if (outcome.status === 'login_required') throw needsUser(context, outcome);
    if (outcome.status === 'consent_required') {
      output.result(presentConsentPending(context, outcome, scopes));
      return 'pending';
    }
  }
  await withUser(context, agent, options.browser, {
    audience: service,
    scopes,
    onConsent: (needed) => {
      // With --json no screen is read: the page is printed before the wait.
      if (output.json) output.result(presentConsentPending(context, needed, scopes));
    },
    send,
  });
  return output.result(presentConsent(context, provider, service.issuer));
}

/** What consent is asked for, where, and the request that asks. */
async function openConsent(context: Context, url: string | undefined, options: ConsentOptions) {
  const { signal } = context.interrupt;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const send = () => agent.providerConsent({ provider, audience: service.issuer, scopes, signal });
  return { agent, provider, scopes, send, service };
}

/** Waits until the user has consented on the provider's page, which was shown before. */
export async function providerConsentWait(
  context: Context,
  url: string | undefined,
  options: ConsentWaitOptions,
): Promise<Outcome> {
  const { output } = context;
  const { agent, provider, scopes, send, service } = await openConsent(context, url, options);
  const asked = await send();
  switch (asked.status) {
    case 'given':
      break;
    case 'login_required':
      throw needsUser(context, asked);
    case 'aborted':
      throw new Interrupted();
    case 'consent_required': {
      const { browser, timeout } = options;
      // With --json no screen is read: the page is printed before the wait.
      if (output.json) output.result(presentConsentPending(context, asked, scopes));
      const ended = await waitForConsent(context, agent, browser, asked, { scopes, timeout });
      if (ended === 'pending') {
        if (!output.json) output.result(presentConsentPending(context, asked, scopes));
        return 'pending';
      }
      if (ended !== 'given') throw needsUser(context, ended);
    }
  }
  return output.result(presentConsent(context, provider, service.issuer));
}

function presentConsent(context: Context, provider: string, audience: string): Rendering {
  const next = nextLine(context, 'register', audience, '--provider', provider);
  return {
    schema: 'providerConsent',
    json: () => ({ status: 'given', provider, audience, next }),
    human: (style) =>
      `${style.green('✓')} ${provider} may identify you to ${style.bold(audience)}.\n  Next: ${style.cyan(next.line)}`,
  };
}

/** The page waits for the user, and this command no longer waits (or not yet). */
function presentConsentPending(
  context: Context,
  { audience, consentUri, openable, provider }: ConsentRequired,
  scopes: readonly string[] | undefined,
): Rendering {
  // The same request again: a different one would have a different page.
  const asked = scopes === undefined ? [] : ['--scope', scopes.join(' ')];
  const next = nextLine(
    context,
    'provider consent',
    'wait',
    provider,
    '--audience',
    audience,
    ...asked,
  );
  return {
    schema: 'providerConsent',
    json: () => ({
      status: 'pending',
      provider,
      audience,
      consent_uri: consentUri,
      openable,
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} Waiting for the user to consent at ${new URL(provider).host}:`,
        '',
        displayUrl(consentUri),
        ...(openable ? [] : [FOREIGN_PAGE]),
        '',
        nextText(style, next),
      ].join('\n'),
  };
}
