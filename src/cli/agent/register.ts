import type { Agent } from '../../agent/agent.ts';
import { AgentError } from '../../agent/agent-error.ts';
import type { ClaimNeeded, ClaimPending, Registered } from '../../agent/outcomes.ts';
import { stateScopes, userOf } from '../../agent/records/registration-state.ts';
import { Secret } from '../../runtime/secret.ts';
import { ceremonyJson, waitingText } from '../prompts/ceremony.ts';
import { openAgent } from '../prompts/open-agent.ts';
import { chooseService } from '../prompts/service.ts';
import { withUser } from '../prompts/with-user.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine, nextText } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { readFromSource } from '../shell/read-argument.ts';
import type { Style } from '../terminal/style.ts';
import { facts } from '../terminal/table.ts';
import type { RegisterOptions } from './options.ts';
import { choosePlan, type Plan, typeInstead } from './register-plan.ts';
import {
  codeLine,
  credentialFacts,
  describeType,
  directText,
  endedText,
  goBack,
  otherDialect,
  previousJson,
  registrationJson,
  scopesText,
  serviceJson,
} from './registration-lines.ts';
import { tokenJson } from './token-json.ts';

type RegisterOutcome = Registered | ClaimPending | ClaimNeeded;

/** Registers by the lightest type that fits what was given, where that was not done before. */
export async function register(
  context: Context,
  url: string | undefined,
  options: RegisterOptions,
): Promise<Outcome> {
  const { output } = context;
  const plan = await choosePlan(context, options);
  const { agent, store } = await openAgent(context, options);
  const serviceUrl = await chooseService(context, store, url);
  const outcome = await carryOut(context, agent, serviceUrl, plan, options).catch(async (error) => {
    const chosen = await typeInstead(context, { agent, store }, serviceUrl, options, error);
    const fitting = { ...options, ...chosen };
    return carryOut(context, agent, serviceUrl, await choosePlan(context, fitting), fitting);
  });
  for (const { message } of outcome.warnings) output.warn(message);
  if (outcome.status === 'registered') {
    return output.result(presentRegistered(context, outcome));
  }
  output.result(
    outcome.status === 'claim_needed'
      ? presentClaimNeeded(context, outcome)
      : presentWaiting(context, outcome),
  );
  return 'pending';
}

async function carryOut(
  context: Context,
  agent: Agent,
  service: string,
  plan: Plan,
  options: RegisterOptions,
): Promise<RegisterOutcome> {
  const { signal } = context.interrupt;
  const common = { signal, reuse: true, anew: options.new } as const;
  if ('provider' in plan) {
    const discovery = await agent.discover({ address: service }, { signal });
    const { resource, scopes: offered } = discovery.service;
    const scopes = offered.length === 0 ? undefined : offered;
    const { type, provider } = plan;
    return withUser(context, agent, options.browser, {
      audience: discovery.service,
      scopes,
      resource,
      send: () => agent.register({ ...common, service: discovery, type, provider, scopes }),
    }).catch((error) => {
      throw atService(error, service);
    });
  }
  const outcome =
    'source' in plan
      ? await agent.register({
          ...common,
          service,
          type: plan.type,
          assertion: await readAssertion(context, plan.source),
        })
      : await agent.register({ ...common, ...plan, service });
  if (outcome.status !== 'login_required' && outcome.status !== 'consent_required') return outcome;
  throw new CliError('pending', {
    code: outcome.status,
    message: 'The service requires the user to sign in again at the provider.',
    hint: 'Sign in there, mint a new ID-JAG, and register with that.',
    next: nextLine(context, 'provider login', outcome.provider ?? 'URL'),
  });
}

/** An error of the provider does not name the service that the ID-JAG was for. */
function atService(error: unknown, service: string): unknown {
  if (!(error instanceof AgentError) || !error.next?.needs.includes('@FILE')) return error;
  return error.with({ next: { command: 'register', args: [service, ...error.next.args] } });
}

async function readAssertion(context: Context, source: string): Promise<Secret> {
  const text = (await readFromSource(context, source)).toString('utf8').trim();
  if (text === '') throw usageError('What --assertion names is empty.');
  return new Secret(text);
}

/** Registered, now or before, with a token in hand. */
function presentRegistered(context: Context, outcome: Registered): Rendering {
  const { registration, token } = outcome;
  const claimable = registration.type === 'anonymous' && !registration.claimed;
  const next = claimable
    ? nextLine(context, 'claim', '--email', userOf(registration) ?? 'EMAIL')
    : nextLine(context, 'call', '/PATH');
  const scopes = token.scopes ?? stateScopes(registration);
  const missing = (registration.postClaimScopes ?? []).filter((scope) => !scopes?.includes(scope));
  return {
    schema: 'register',
    json: () => ({
      status: 'registered',
      ...outcomeJson(context, outcome),
      token: tokenJson(context, registration.issuer, token),
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} ${typedText(style, outcome)}.`,
        facts(style, [
          ['registration', registration.id],
          ['scopes', scopesText(scopes)],
          [
            'after a claim',
            claimable && missing.length > 0 ? `also ${missing.join(' ')}` : undefined,
          ],
          ['dialect', otherDialect(registration) || undefined],
          ['calls with', directText(registration)],
          ...credentialFacts(context, registration),
        ]),
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(style, next, claimable ? 'let a user claim it' : 'use it'),
      ].join('\n'),
  };
}

/** The service registered the agent; the user has to confirm before it gets any access. */
function presentWaiting(context: Context, outcome: ClaimPending): Rendering {
  const { ceremony, reason, registration } = outcome;
  const isReadBack = ceremony.kind === 'read_back';
  const next = isReadBack ? codeLine(context) : nextLine(context, 'claim');
  return {
    schema: 'register',
    json: () => ({
      status: 'pending',
      reason,
      ...outcomeJson(context, outcome),
      claim: ceremonyJson(context, registration.issuer, ceremony),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${whoHasTo(style, outcome)}`,
        ...waitingText(style, ceremony),
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(
          style,
          next,
          isReadBack
            ? 'hand in the code'
            : reason === 'interaction_required'
              ? 'wait for the confirmation'
              : 'wait for the claim',
        ),
      ].join('\n'),
  };
}

/** Registered before; no claim attempt is open, and without one there is no access. */
function presentClaimNeeded(context: Context, outcome: ClaimNeeded): Rendering {
  const { registration, reason } = outcome;
  const next =
    reason === 'not_started'
      ? nextLine(context, 'claim', '--email', userOf(registration) ?? 'EMAIL')
      : nextLine(context, 'claim', ...(reason === 'denied' ? ['--renew'] : []));
  return {
    schema: 'register',
    json: () => ({
      status: 'pending',
      reason,
      ...outcomeJson(context, outcome),
      claim: null,
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${typedText(style, outcome)}; ${NEEDED_TEXT[reason]}`,
        facts(style, [['registration', registration.id]]),
        ...beforeText(style, outcome),
        ...goBack(context, style, outcome),
        nextText(style, next, 'ask the user for a new code'),
      ].join('\n'),
  };
}

const NEEDED_TEXT: Readonly<Record<ClaimNeeded['reason'], string>> = {
  denied: 'its user denied the claim.',
  lapsed: 'the last code has expired.',
  not_started: 'it grants nothing until a user claims it.',
};

function outcomeJson(context: Context, outcome: RegisterOutcome) {
  const { service, registration, warnings, already, ended, previous } = outcome;
  return {
    service: serviceJson(service),
    registration: registrationJson(context, registration),
    already,
    ended: ended.map(({ id }) => id),
    previous: previousJson(context, previous),
    warnings,
  };
}

function madeText(style: Style, { service, already }: RegisterOutcome): string {
  return `${already ? 'Already registered' : 'Registered'} at ${style.bold(service.name ?? service.resource)}`;
}

/** `Registered anonymously at Example Service`, `Registered at Example Service, for alice@example.com`. */
function typedText(style: Style, outcome: RegisterOutcome): string {
  const { already, registration, service } = outcome;
  if (registration.type !== 'anonymous' || registration.claimed) {
    return `${madeText(style, outcome)}, ${describeType(outcome)}`;
  }
  return `${already ? 'Already registered' : 'Registered'} anonymously at ${style.bold(service.name ?? service.resource)}`;
}

function whoHasTo(style: Style, outcome: ClaimPending): string {
  const { service, registration, reason } = outcome;
  const who = userOf(registration) ?? 'the user';
  switch (reason) {
    case 'service_auth':
      return `${madeText(style, outcome)}; ${who} has to claim it:`;
    case 'anonymous':
      return `${madeText(style, outcome)}; it grants nothing until ${who} claims it:`;
    case 'interaction_required':
      return `${style.bold(service.name ?? service.resource)} already has an account with that email address; its user has to confirm the link:`;
  }
}

/** Registrations from before: those that ended, or the one that is still active. */
function beforeText(style: Style, { already, ended }: RegisterOutcome): readonly string[] {
  const over = endedText({ ended });
  if (!already) return over;
  return [...over, style.dim('  Nothing new was registered; --new makes another one.')];
}
