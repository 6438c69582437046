import type { Agent } from '../../agent/agent.ts';
import type { Service } from '../../agent/model.ts';
import type { ConsentRequired, LoginRequired } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import { typedAgain } from '../shell/typed-again.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { displayUrl } from './page-url.ts';
import { signIn } from './sign-in.ts';
import { consentLine, waitForConsent } from './wait-for-consent.ts';

type Needs = LoginRequired | ConsentRequired;

/** Something that may need the user to sign in or to agree at a provider first. */
interface ProviderAttempt<T> {
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

/** What a person can be asked for, each once. */
type Step = 'sign_in' | 'fresh_sign_in' | 'consent';

/**
 * Attempts an errand; when it asks for a sign-in or for consent, takes the user there and attempts it
 * again. Each step is taken once: a plain sign-in where nobody is signed in, one anew where the sign-in
 * is too old for somebody, consent.
 * @throws CliError (pending) where no person can act: it names the command for one who can.
 */
export async function withUser<T extends { readonly status: string }>(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  errand: ProviderAttempt<T>,
): Promise<Exclude<T, Needs>> {
  const done = new Set<Step>();
  // Learned while waiting for consent, which was not given then.
  let meanwhile: LoginRequired | undefined;
  for (;;) {
    const outcome = meanwhile ?? (await errand.attempt());
    if (!isNeed(outcome)) return outcome as Exclude<T, Needs>;
    meanwhile = undefined;
    const step = stepOf(outcome);
    if (done.has(step)) throw insists(context, outcome);
    done.add(step);
    if (outcome.status === 'login_required') await healLogin(context, agent, browser, outcome);
    else meanwhile = await healConsent(context, agent, browser, outcome, errand);
    // A sign-in comes before it is asked for again, and of those there are two at most.
    if (meanwhile !== undefined) done.delete(step);
  }
}

function stepOf(outcome: Needs): Step {
  if (outcome.status === 'consent_required') return 'consent';
  return isFresh(outcome) ? 'fresh_sign_in' : 'sign_in';
}

/** Somebody has seen the last sign-in and wants a newer one: a browser that is signed in is not enough. */
function isFresh({ askedBy }: LoginRequired): boolean {
  return askedBy !== 'agent';
}

function isNeed(outcome: { readonly status: string }): outcome is Needs {
  return outcome.status === 'login_required' || outcome.status === 'consent_required';
}

/** A person is here: one who can be asked, or one who said yes beforehand and reads stderr. */
function userIsHere({ canAsk, options, output }: Context): boolean {
  return canAsk || (options.yes === true && !output.json);
}

async function healLogin(
  context: Context,
  agent: Agent,
  browser: BrowserMode,
  loginRequired: LoginRequired,
): Promise<void> {
  const { provider, maxAge } = loginRequired;
  const oldest = oldestSignIn(loginRequired);
  const fresh = isFresh(loginRequired);
  if (provider === undefined || !userIsHere(context)) throw needsUser(context, loginRequired);
  if (oldest !== '') context.output.say(oldest.trim());
  await signIn(context, agent, provider, { browser, fresh, maxAge });
}

/** Resolves when consent is given; with what is needed before that, when it cannot be given yet. */
async function healConsent(
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
  // Nobody limited the time, so the wait came to its end.
  if (consent === 'pending') throw new Interrupted();
  return consent === 'given' ? undefined : consent;
}

/**
 * The user has to act at the provider, and is not taken there.
 * @param again what goes on once they have.
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
    // The page is all that the user needs: what goes on afterwards is the next step.
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
  const { isOpen, provider = 'URL' } = outcome;
  if (isOpen) return nextLine(context, 'provider login', 'wait', provider);
  const fresh = isFresh(outcome) ? ['--fresh'] : [];
  return nextLine(context, 'provider login', provider, ...fresh);
}

/** Asked for the same thing right after it was given: going on would be a loop. */
function insists(context: Context, outcome: Needs): CliError {
  const code = outcome.status;
  if (code === 'consent_required') {
    return new CliError('refused', {
      code,
      message: 'The provider still asks for consent, although it was just given.',
      next: consentLine(context, outcome),
    });
  }
  const next = loginLine(context, outcome);
  const message = isFresh(outcome)
    ? `The ${outcome.askedBy} still asks for a sign-in, although the user just signed in.`
    : 'The sign-in that was just completed has already expired.';
  return new CliError('refused', { code, message, next });
}
