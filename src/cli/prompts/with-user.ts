import type { Agent } from '../../agent/agent.ts';
import type { Service } from '../../agent/model.ts';
import type { ConsentRequired, LoginRequired } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine, typedAgain } from '../shell/next-line.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import type { SignInFlow } from './options.ts';
import { type SignInOptions, signIn } from './sign-in.ts';
import { displayUrl } from './user-page.ts';
import { consentLine, waitForConsent } from './wait-for-consent.ts';

type Needs = LoginRequired | ConsentRequired;

/** Something that may need the user to sign in or to agree at a provider first. */
interface ProviderAttempt<T> {
  /** To whom the user is identified. */
  readonly audience: Pick<Service, 'issuer' | 'name'>;
  /**
   * What the attempt asks the provider for. The wait for consent repeats it: a different request would
   * have a different page.
   */
  readonly scopes: readonly string[] | undefined;
  readonly resource?: string | undefined;
  readonly send: () => Promise<T>;
  /**
   * Set when consent itself is the purpose: then no question comes first, and the page is shown without
   * a terminal, too. Called with the page before the wait.
   */
  readonly onConsent?: (consent: ConsentRequired) => void;
  /**
   * Set when a sign-in belongs to the purpose: it is waited for without a terminal, too. Called with what the user
   * needs before the wait.
   */
  readonly onSignIn?: SignInOptions['onCeremony'];
  readonly flow?: SignInFlow | undefined;
}

/** What the user can be asked for, each once. */
type Step = 'sign_in' | 'fresh_sign_in' | 'consent';

/**
 * Makes an attempt; when it needs a sign-in or consent, takes the user there and tries again. Each step is
 * taken once: a sign-in where there is none, a fresh one where the last is too old for the service or the
 * provider, consent.
 * @throws CliError (pending) where no user can act: it names the command for one who can.
 */
export async function withUser<T extends { readonly status: string }>(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  attempt: ProviderAttempt<T>,
): Promise<Exclude<T, Needs>> {
  const done = new Set<Step>();
  // Asked for during the wait for consent, which was not given.
  let loginNeeded: LoginRequired | undefined;
  for (;;) {
    const outcome = loginNeeded ?? (await attempt.send());
    if (!isNeed(outcome)) return outcome as Exclude<T, Needs>;
    loginNeeded = undefined;
    const step = stepOf(outcome);
    if (done.has(step)) throw askedAgain(context, outcome);
    done.add(step);
    if (outcome.status === 'login_required')
      await takeToSignIn(context, agent, browser, outcome, attempt);
    else loginNeeded = await takeToConsent(context, agent, browser, outcome, attempt);
    // Consent may be asked for again after that sign-in; of sign-ins there are two at most.
    if (loginNeeded !== undefined) done.delete(step);
  }
}

function stepOf(outcome: Needs): Step {
  if (outcome.status === 'consent_required') return 'consent';
  return isFresh(outcome) ? 'fresh_sign_in' : 'sign_in';
}

/** The service or the provider wants a newer sign-in: a browser that is signed in is not enough. */
function isFresh({ askedBy }: LoginRequired): boolean {
  return askedBy !== 'agent';
}

function isNeed(outcome: { readonly status: string }): outcome is Needs {
  return outcome.status === 'login_required' || outcome.status === 'consent_required';
}

/** Whether a user is at this terminal: one who can be asked, or who gave `--yes` and reads stderr. */
function userIsHere({ canAsk, options, output }: Context): boolean {
  return canAsk || (options.yes === true && !output.json);
}

async function takeToSignIn(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  loginRequired: LoginRequired,
  { flow, onSignIn }: ProviderAttempt<unknown>,
): Promise<void> {
  const { provider, maxAge, acrValues, clientId } = loginRequired;
  const oldest = oldestSignIn(loginRequired);
  const fresh = isFresh(loginRequired);
  const isHere = onSignIn !== undefined || userIsHere(context);
  if (provider === undefined || !isHere) throw needsUser(context, loginRequired);
  if (oldest !== '') context.output.say(oldest.trim());
  await signIn(context, agent, provider, {
    ...{ browser, fresh, maxAge, acrValues, clientId, flow },
    ...(onSignIn && { onCeremony: onSignIn }),
  });
}

/** Resolves when consent is given, or to the sign-in that is needed first. */
async function takeToConsent(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  consentRequired: ConsentRequired,
  { audience: service, scopes, resource, onConsent }: ProviderAttempt<unknown>,
): Promise<LoginRequired | undefined> {
  const { world, options } = context;
  const { provider, audience } = consentRequired;
  const host = new URL(provider).host;
  if (onConsent === undefined && !userIsHere(context)) {
    throw needsUser(context, consentRequired);
  }
  if (onConsent === undefined && options.yes !== true) {
    const who = service.name === undefined ? audience : `${service.name} (${audience})`;
    const what = scopes === undefined ? '' : ` for ${scopes.join(', ')}`;
    const agreed = await world.ask.confirm(`Let ${host} identify you to ${who}${what}?`, true);
    if (!agreed) {
      throw new CliError('refused', {
        code: 'consent_declined',
        message: 'You declined, so nothing was sent.',
        hint: 'Run the same command to be asked again.',
        next: typedAgain(context),
      });
    }
  }
  onConsent?.(consentRequired);
  const consent = await waitForConsent(context, agent, browser, consentRequired, {
    scopes,
    resource,
  });
  // There is no time limit, so only an interrupt ends the wait as pending.
  if (consent === 'pending') throw new Interrupted();
  return consent === 'given' ? undefined : consent;
}

/**
 * The user has to act at the provider, and is not taken there.
 * @param again the command that continues once they have.
 */
export function needsUser(context: Context, need: Needs, again?: Next): CliError {
  const hint = again === undefined ? undefined : `Then continue with: ${again.line}`;
  if (need.status === 'login_required') {
    return new CliError('pending', {
      code: 'login_required',
      message: `The user has to sign in at the provider first.${oldestSignIn(need)}`,
      hint,
      next: loginLine(context, need),
    });
  }
  const { provider, audience, consentUri } = need;
  const page = `Consent page: ${displayUrl(consentUri)}`;
  return new CliError('pending', {
    code: 'consent_required',
    message: `The user has to consent at ${new URL(provider).host} to being identified to ${audience}.`,
    // The user needs only the page: the next step is the command that continues afterwards.
    hint: again === undefined ? page : `${page} Continue once they have.`,
    next: again ?? consentLine(context, need),
    details: { consent_uri: consentUri },
  });
}

function oldestSignIn({ maxAge }: LoginRequired): string {
  if (maxAge === undefined) return '';
  return ` The sign-in may be at most ${describeDuration(maxAge * 1000)} old.`;
}

function loginLine(context: Context, outcome: LoginRequired): Next {
  const { clientId, isOpen, provider = 'URL' } = outcome;
  if (isOpen) return nextLine(context, 'provider login', 'wait', provider);
  const fresh = isFresh(outcome) ? ['--fresh'] : [];
  const client = clientId === undefined ? [] : ['--client-id', clientId];
  return nextLine(context, 'provider login', provider, ...client, ...fresh);
}

/** The same step is needed right after it was done: trying again would be a loop. */
function askedAgain(context: Context, outcome: Needs): CliError {
  if (outcome.status === 'consent_required') {
    return new CliError('refused', {
      code: 'asked_again',
      message: 'The provider still asks for consent, although it was just given.',
      next: consentLine(context, outcome),
    });
  }
  const next = loginLine(context, outcome);
  const message = isFresh(outcome)
    ? `The ${outcome.askedBy} still asks for a sign-in, although the user just signed in.`
    : 'The sign-in that was just completed has already expired.';
  return new CliError('refused', { code: 'asked_again', message, next });
}
