import type { Discovery, Registration } from '../model.ts';
import type { ConsentRequired, LoginRequired, RegisterOutcome } from '../outcomes.ts';
import { livingOther, useRegistration } from '../records/change-credentials.ts';
import { register } from '../register/register.ts';
import type { SettledRegistration } from './connect-request.ts';
import { answerMissing, askForEmail, type ConnectRun } from './connect-run.ts';
import type { ConnectPlan } from './plan-connect.ts';
import { unsaid } from './step-warnings.ts';

/**
 * Registers as planned, or finds that the service still knows what was registered before.
 * @throws AgentError `answer_missing` where only a person knows for whom, or at which provider.
 */
export async function registerPlanned(
  run: ConnectRun,
  discovery: Discovery,
  plan: ConnectPlan,
): Promise<SettledRegistration | LoginRequired | ConsentRequired> {
  const preferred = await prefer(run, plan.known);
  const outcome = await attempt(run, discovery, plan);
  if (outcome.status === 'login_required' || outcome.status === 'consent_required') return outcome;
  const { already, ended, registration, service } = outcome;
  const previous = preferred ?? outcome.previous;
  const warnings = unsaid(discovery.warnings, outcome.warnings);
  run.tell({ step: 'register', already, service, registration, previous, ended, warnings });
  return outcome;
}

/**
 * The one to go on with is asked for first when it is in use.
 * @returns the one whose place it took.
 */
async function prefer(
  { tools }: ConnectRun,
  known: Registration | undefined,
): Promise<Registration | undefined> {
  if (known === undefined) return undefined;
  const previous = livingOther(await tools.store.read(), known);
  if (previous === undefined) return undefined;
  await tools.store.update((current) => [useRegistration(current, known), undefined]);
  return previous;
}

async function attempt(
  run: ConnectRun,
  discovery: Discovery,
  plan: ConnectPlan,
): Promise<RegisterOutcome> {
  const { tools, request } = run;
  const { signal } = request;
  const common = { service: discovery, signal, reuse: true } as const;
  switch (plan.type) {
    case 'anonymous':
      return register(tools, { ...common, type: plan.type });
    case 'service_auth': {
      const loginHint = plan.email ?? (await askForEmail(request));
      return register(tools, { ...common, type: plan.type, loginHint });
    }
    case 'identity_assertion': {
      const { type } = plan;
      const provider = plan.provider ?? (await onlyProvider(run));
      const { service } = discovery;
      const scopes = service.scopes.length === 0 ? undefined : service.scopes;
      const again = () => register(tools, { ...common, type, provider, scopes });
      return request.person?.atProvider?.({ service, scopes, attempt: again }) ?? again();
    }
  }
}

/** Where the user is signed in. */
async function onlyProvider({ tools, request }: ConnectRun): Promise<string> {
  const [only, another] = (await tools.store.read()).providers;
  if (only === undefined || another !== undefined) {
    throw answerMissing('The provider that vouches for the user', '--provider', {
      ...request,
      provider: 'URL',
    });
  }
  return only.issuer;
}
