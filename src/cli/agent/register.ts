import type { Agent } from '../../agent/agent.ts';
import { AgentError } from '../../agent/agent-error.ts';
import type { ClaimNeeded, ClaimPending, Registered } from '../../agent/outcomes.ts';
import type { IdentityType } from '../../protocol/constants.ts';
import { Secret } from '../../runtime/secret.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { askForEmail } from '../choose/email.ts';
import { type OpenAgent, openAgent } from '../choose/open-agent.ts';
import { chooseService } from '../choose/service.ts';
import { type ChosenType, chooseType } from '../choose/type.ts';
import { withUser } from '../handover/with-user.ts';
import { CliError, missingAnswer, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { isSource, readFromSource } from '../shell/read-argument.ts';
import { typedAgain } from '../shell/typed-again.ts';
import type { BrowserMode } from '../terminal/browser.ts';
import { presentClaimNeeded, presentRegistered, presentWaiting } from './present-register.ts';

export interface RegisterOptions {
  readonly type?: IdentityType;
  readonly email?: string;
  readonly assertion?: string;
  readonly provider?: string;
  /** Another registration, whether or not there is one. */
  readonly new?: true;
  readonly browser: BrowserMode;
}

/** What to register with, once the options are understood. */
type Plan =
  | { readonly type: 'anonymous' }
  | { readonly type: 'service_auth'; readonly loginHint: string }
  | { readonly type: 'identity_assertion'; readonly source: string }
  | { readonly type: 'identity_assertion'; readonly provider: string };

/** Registers by the lightest type that fits what was given, where that was not done before. */
export async function register(
  context: Context,
  url: string | undefined,
  options: RegisterOptions,
): Promise<Outcome> {
  const { output } = context;
  const plan = await choosePlan(context, options);
  const { agent, store } = await openAgent(context);
  const address = await chooseService(context, store, url);
  const outcome = await carryOut(context, agent, address, plan, options).catch(async (error) => {
    const chosen = await typeInstead(context, { agent, store }, address, options, error);
    const fitting = { ...options, ...chosen };
    return carryOut(context, agent, address, await choosePlan(context, fitting), fitting);
  });
  for (const { message } of outcome.warnings) output.warn(message);
  if (outcome.status === 'registered') {
    output.result(presentRegistered(context, outcome));
    return 'done';
  }
  output.result(
    outcome.status === 'claim_needed'
      ? presentClaimNeeded(context, outcome)
      : presentWaiting(context, outcome),
  );
  return 'pending';
}

async function choosePlan(context: Context, options: RegisterOptions): Promise<Plan> {
  const { email, assertion, provider } = options;
  const given = Object.entries({ email, assertion, provider }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  if (given.length > 1) throw usageError(`${given.join(' and ')} exclude one another.`);
  const type = options.type ?? lightestType(options);
  const fitting = {
    anonymous: [],
    service_auth: ['--email'],
    identity_assertion: ['--assertion', '--provider'],
  }[type];
  const [wrong] = given.filter((flag) => !fitting.some((each) => each === flag));
  if (wrong !== undefined) throw usageError(`${wrong} does not fit --type ${type}.`);

  if (type === 'anonymous') return { type };
  if (type === 'service_auth') return { type, loginHint: email ?? (await askForEmail(context)) };
  if (assertion !== undefined) {
    // A secret in the arguments is seen by every process and kept by the shell: not even echoed here.
    if (!isSource(assertion)) {
      throw usageError('--assertion takes @FILE or -, never the assertion itself.', {
        code: 'secret_in_arguments',
        hint: 'Put it into a file, or pipe it in. If it was real, take it for known to others.',
      });
    }
    return { type, source: assertion };
  }
  if (provider === undefined) {
    const next = typedAgain(context, '--provider', 'URL');
    throw missingAnswer('Where the ID-JAG comes from', '--provider URL or --assertion @FILE', next);
  }
  return { type, provider: absoluteUrl(provider, 'The provider address') };
}

function lightestType(options: RegisterOptions): IdentityType {
  if (options.assertion !== undefined || options.provider !== undefined)
    return 'identity_assertion';
  return options.email === undefined ? 'anonymous' : 'service_auth';
}

/** Where anonymous, which nobody asked for, is not offered. @throws what was thrown where no choice is open. */
async function typeInstead(
  context: Context,
  { agent, store }: OpenAgent,
  address: string,
  { type, email, assertion, provider }: RegisterOptions,
  error: unknown,
): Promise<ChosenType> {
  const given = type ?? email ?? assertion ?? provider;
  const isOpen = error instanceof AgentError && error.code === 'type_not_supported';
  if (given !== undefined || !isOpen) throw error;
  const { service } = await agent.discover({ address }, { signal: context.interrupt.signal });
  if (service.identityTypes.length < 2) throw error;
  return chooseType(context, store, service.identityTypes);
}

async function carryOut(
  context: Context,
  agent: Agent,
  service: string,
  plan: Plan,
  options: RegisterOptions,
): Promise<Registered | ClaimPending | ClaimNeeded> {
  const { signal } = context.interrupt;
  const ours = { signal, reuse: true, anew: options.new } as const;
  if ('provider' in plan) {
    const discovery = await agent.discover({ address: service }, { signal });
    const { resource, scopes: offered } = discovery.service;
    const scopes = offered.length === 0 ? undefined : offered;
    const { type, provider } = plan;
    return withUser(context, agent, options.browser, {
      audience: discovery.service,
      scopes,
      resource,
      attempt: () => agent.register({ ...ours, service: discovery, type, provider, scopes }),
    }).catch((error) => {
      throw atService(error, service);
    });
  }
  const outcome =
    'source' in plan
      ? await agent.register({
          ...ours,
          service,
          type: plan.type,
          assertion: await readAssertion(context, plan.source),
        })
      : await agent.register({ ...ours, ...plan, service });
  if (outcome.status !== 'login_required' && outcome.status !== 'consent_required') return outcome;
  throw new CliError('refused', {
    code: outcome.status,
    message: 'The service wants the user to sign in again at the provider.',
    hint: 'Sign in there, mint a fresh ID-JAG, and register with that.',
    next: nextLine(context, 'provider login', outcome.provider ?? 'URL'),
  });
}

/** A provider does not know at which service its ID-JAG was to be used. */
function atService(error: unknown, service: string): unknown {
  if (!(error instanceof AgentError) || !error.next?.needs.includes('@FILE')) return error;
  return error.with({ next: { command: 'register', args: [service, ...error.next.args] } });
}

async function readAssertion(context: Context, source: string): Promise<Secret> {
  const text = (await readFromSource(context, source)).toString('utf8').trim();
  if (text === '') throw usageError('There is no assertion in what --assertion names.');
  return new Secret(text);
}
