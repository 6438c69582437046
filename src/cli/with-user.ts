import type { Agent } from '../agent/agent.ts';
import type { Service } from '../agent/model.ts';
import type { ConsentRequired, LoginRequired } from '../agent/outcomes.ts';
import { describeDuration, MINUTE } from '../protocol/durations.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { showHandover } from './handover-screen.ts';
import { Interrupted } from './interrupted.ts';
import { nextLine } from './next-line.ts';
import { signIn } from './sign-in.ts';
import type { BrowserMode } from './terminal/browser.ts';

type Needs = LoginRequired | ConsentRequired;

/** Something that may need the user to sign in or to agree at a provider first. */
export interface ProviderErrand<T> {
  /** To whom the user is identified. */
  readonly audience: Pick<Service, 'issuer' | 'name'>;
  /**
   * What the attempt asks the provider for. The wait for consent asks for the same: another question
   * would have another page.
   */
  readonly scopes: readonly string[] | undefined;
  readonly resource?: string | undefined;
  readonly attempt: () => Promise<T>;
  /**
   * Set when consent itself is the errand: then no question comes first, and the hand-over happens
   * without a terminal too. Told the page before the wait.
   */
  readonly onConsent?: (consent: ConsentRequired) => void;
}

const CONSENT_WAIT = 10 * MINUTE;

/**
 * Attempts an errand; when it asks for a sign-in or for consent, takes the user there, once each, and
 * attempts it again.
 * @throws CliError (pending) where no person can act: it names the command for one who can.
 */
export async function withUser<T extends { readonly status: string }>(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  errand: ProviderErrand<T>,
): Promise<Exclude<T, Needs>> {
  const done = new Set<string>();
  for (;;) {
    const outcome = await errand.attempt();
    if (!isNeed(outcome)) return outcome as Exclude<T, Needs>;
    if (done.has(outcome.status)) throw insists(outcome);
    done.add(outcome.status);
    if (outcome.status === 'login_required') await healLogin(context, agent, browser, outcome);
    else await healConsent(context, agent, browser, outcome, errand);
  }
}

function isNeed(outcome: { readonly status: string }): outcome is Needs {
  return outcome.status === 'login_required' || outcome.status === 'consent_required';
}

/** A person is here: one who can be asked, or one who said yes beforehand and reads stderr. */
function personIsHere({ canAsk, options, output }: Context): boolean {
  return canAsk || (options.yes === true && !output.json);
}

async function healLogin(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  { askedBy, provider, maxAge }: LoginRequired,
): Promise<void> {
  const oldest =
    maxAge === undefined
      ? ''
      : ` The sign-in may be at most ${describeDuration(maxAge * 1000)} old.`;
  // Somebody has seen the last sign-in and wants a newer one: a browser that is signed in is not enough.
  const fresh = askedBy !== 'agent';
  if (provider === undefined || !personIsHere(context)) {
    throw new CliError('pending', {
      code: 'login_required',
      message: `The user has to sign in at the provider first.${oldest}`,
      next: nextLine(context, 'provider login', provider ?? 'URL', ...(fresh ? ['--fresh'] : [])),
    });
  }
  if (oldest !== '') context.output.say(oldest.trim());
  await signIn(context, agent, provider, { browser, fresh, maxAge });
}

async function healConsent(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  consentRequired: ConsentRequired,
  { audience: service, scopes, resource, onConsent }: ProviderErrand<unknown>,
): Promise<void> {
  const { world, options, interrupt } = context;
  const { provider, audience, consentUri, openable } = consentRequired;
  const host = new URL(provider).host;
  if (onConsent === undefined && !personIsHere(context)) {
    throw new CliError('pending', {
      code: 'consent_required',
      message: `The user has to agree at ${host} to be identified to ${audience}.`,
      next: nextLine(context, 'provider consent', provider, '--audience', audience),
      details: { consent_uri: consentUri },
    });
  }
  if (onConsent === undefined && options.yes !== true) {
    const who = service.name === undefined ? audience : `${service.name} (${audience})`;
    const what = scopes === undefined ? '' : ` for ${scopes.join(', ')}`;
    const agreed = await world.ask.confirm(`Let ${host} identify you to ${who}${what}?`, true);
    if (!agreed) {
      throw new CliError('refused', {
        code: 'consent_declined',
        message: 'You did not agree, so nothing was sent.',
      });
    }
  }
  onConsent?.(consentRequired);
  const handover = {
    heading: `Consent at ${host}`,
    address: provider,
    account: undefined,
    userCode: undefined,
    verificationUri: consentUri,
    trusted: openable,
    expiresAt: world.clock.now() + CONSENT_WAIT,
  };
  const consent = await showHandover(context, handover, browser, () =>
    agent.providerConsent({
      provider,
      audience,
      scopes,
      resource,
      signal: interrupt.signal,
      timeout: CONSENT_WAIT,
      onConsentRequired: () => {},
    }),
  );
  if (consent.status === 'given') return;
  if (interrupt.signal.aborted) throw new Interrupted();
  throw new CliError('expired', {
    code: 'consent_expired',
    message: `Nobody agreed at ${host} in time.`,
    next: nextLine(context, 'provider consent', provider, '--audience', audience),
  });
}

/** Asked for the same thing right after it was given: going on would be a loop. */
function insists(outcome: Needs): CliError {
  const what = outcome.status === 'login_required' ? 'a sign-in' : 'consent';
  return new CliError('refused', {
    code: outcome.status,
    message: `The provider or the service still asks for ${what}, although it was just given.`,
  });
}
