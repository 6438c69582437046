import type { ConsentRequired, ConsentRevoked } from '../../agent/outcomes.ts';
import { type AudienceOptions, chooseAudience, chooseAudienceIssuer } from '../choose/audience.ts';
import { openAgent } from '../choose/open-agent.ts';
import { chooseProvider } from '../choose/service.ts';
import { displayUrl, FOREIGN_PAGE } from '../handover/user-page.ts';
import { waitForConsent } from '../handover/wait-for-consent.ts';
import { needsUser, withUser } from '../handover/with-user.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';

interface ProviderConsentOptions extends AudienceOptions {
  readonly browser: BrowserMode;
  readonly wait: boolean;
}

/** Takes the user to the provider's consent page for one audience, unless consent is already given. */
export async function providerConsent(
  context: Context,
  url: string | undefined,
  options: ProviderConsentOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const send = () =>
    agent.providerConsent({
      provider,
      audience: service.issuer,
      scopes,
      signal: interrupt.signal,
    });
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

interface ProviderConsentWaitOptions extends AudienceOptions {
  readonly browser: BrowserMode;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Waits until the user has consented on the provider's page, which was shown before. */
export async function providerConsentWait(
  context: Context,
  url: string | undefined,
  options: ProviderConsentWaitOptions,
): Promise<Outcome> {
  const { interrupt, output } = context;
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const { service, scopes } = await chooseAudience(context, agent, store, options);
  const { issuer: audience } = service;
  const asked = await agent.providerConsent({
    provider,
    audience,
    scopes,
    signal: interrupt.signal,
  });
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
  return output.result(presentConsent(context, provider, audience));
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
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}

interface ProviderRevokeOptions {
  readonly audience?: string;
  readonly browser: BrowserMode;
}

/**
 * Revokes the consent to be identified to one audience. Done when the service was or will be notified;
 * pending when that takes a user: by revoking again, or at the service.
 */
export async function providerRevoke(
  context: Context,
  url: string | undefined,
  options: ProviderRevokeOptions,
): Promise<Outcome> {
  const { agent, store } = await openAgent(context);
  const provider = await chooseProvider(context, store, url);
  const audience = await chooseAudienceIssuer(context, agent, store, options.audience);
  const outcome = await withUser(context, agent, options.browser, {
    audience: { issuer: audience, name: undefined },
    scopes: undefined,
    send: () => agent.providerRevoke({ provider, audience, signal: context.interrupt.signal }),
  });
  context.output.result(presentConsentRevoked(context, outcome));
  return outcome.event === 'parked' || isKnownByOtherIssuer(outcome) ? 'pending' : 'done';
}

/** The service registered the user under an earlier issuer URL of the provider: this one cannot notify it. */
function isKnownByOtherIssuer({ event, eventProblem }: ConsentRevoked): boolean {
  return event !== 'delivered' && eventProblem?.code === 'other_issuer';
}

function presentConsentRevoked(context: Context, outcome: ConsentRevoked): Rendering {
  const { audience, event, eventProblem, provider, status } = outcome;
  // Revoking again sends it again.
  const next =
    event === 'parked' && !isKnownByOtherIssuer(outcome)
      ? nextLine(context, 'provider revoke', provider, '--audience', audience)
      : undefined;
  return {
    schema: 'providerRevoke',
    json: () => ({
      status,
      provider,
      audience,
      event,
      event_problem:
        eventProblem === undefined
          ? null
          : { code: eventProblem.code, status: eventProblem.status ?? null },
      next: next ?? null,
    }),
    human: (style) => {
      const service = style.bold(audience);
      const consent =
        status === 'revoked'
          ? `${style.green('✓')} ${provider} no longer identifies you to ${service}.`
          : `There is no consent at ${provider} for ${service}.`;
      const notification = describeNotification(outcome);
      const lines = [consent, notification, next && `Next: ${style.cyan(next.line)}`];
      return lines.filter(Boolean).join('\n  ');
    },
  };
}

/** Whether the service was notified; empty where there was nothing to notify it of. */
function describeNotification(outcome: ConsentRevoked): string {
  const { event, eventProblem, status } = outcome;
  if (isKnownByOtherIssuer(outcome)) {
    return 'The service registered the user under another issuer URL of the provider; only that issuer can notify it: revoke the access at the service.';
  }
  const why = eventProblem === undefined ? '' : ` (${eventProblem.code})`;
  switch (event) {
    case 'delivered':
      return 'The service was notified and ends the access that depends on it.';
    case 'pending':
      return `The service has not been notified yet${why}; the provider keeps trying. Until then the access remains.`;
    case 'parked':
      return `The service was not notified${why}, and the provider does not try again: revoke again once the service accepts events.`;
    case null:
      return 'The provider does not report whether the service was notified: check there as well.';
    case 'none':
      return status === 'revoked'
        ? `The service cannot be notified${why}: revoke the access there as well.`
        : '';
  }
}
