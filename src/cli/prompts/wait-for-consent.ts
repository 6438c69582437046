import type { Agent } from '../../agent/agent.ts';
import type { ConsentRequired, LoginRequired } from '../../agent/outcomes.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { showHandover } from './handover-screen.ts';

/** What the attempt asked the provider for: a different request would have a different page. */
interface ConsentWait {
  readonly scopes: readonly string[] | undefined;
  readonly resource?: string | undefined;
  /** Milliseconds; then the wait ends with `pending`. Default: as long as the page waits, and an error then. */
  readonly timeout?: number | undefined;
}

/** Where the provider does not say for how long its page waits. */
const CONSENT_WAIT = 10 * MINUTE;

/**
 * Shows the consent page and waits until the user has agreed. Resolves to the sign-in that is
 * needed first, where the user cannot consent yet.
 * @throws CliError when the user did not consent in time.
 */
export async function waitForConsent(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  need: ConsentRequired,
  { scopes, resource, timeout }: ConsentWait,
): Promise<'given' | 'pending' | LoginRequired> {
  const { world, interrupt } = context;
  const { audience, clientId, consentUri, openable, provider, remaining } = need;
  const host = new URL(provider).host;
  const wait = timeout ?? remaining ?? CONSENT_WAIT;
  const handover = {
    heading: `Consent at ${host}`,
    url: provider,
    account: undefined,
    userCode: undefined,
    verificationUri: consentUri,
    trusted: openable,
    expiresAt: world.clock.now() + wait,
  };
  const consent = await showHandover(context, handover, browser, () =>
    agent.providerConsent({
      provider,
      clientId,
      audience,
      scopes,
      resource,
      signal: interrupt.signal,
      timeout: wait,
      onConsentRequired: () => {},
    }),
  );
  if (interrupt.signal.aborted) throw new Interrupted();
  switch (consent.status) {
    case 'given':
      return 'given';
    case 'login_required':
      return consent;
    case 'aborted':
      throw new Interrupted();
    // Still required at the end of the wait.
    case 'consent_required':
      if (timeout !== undefined) return 'pending';
      throw new CliError('expired', {
        code: 'consent_expired',
        message: `The user did not consent at ${host} in time.`,
        next: consentLine(context, need),
      });
  }
}

export function consentLine(context: Context, { audience, provider }: ConsentRequired): Next {
  return nextLine(context, 'provider consent', provider, '--audience', audience);
}
