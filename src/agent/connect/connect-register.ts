import { displayText, normalizeEmail } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Discovery, Registration } from '../model.ts';
import type { ConsentRequired, LoginRequired, RegisterOutcome } from '../outcomes.ts';
import { userOf } from '../records/registration-state.ts';
import { recordOf } from '../records/select-service.ts';
import { register } from '../register/register.ts';
import { type Among, reuseRegistration } from '../register/reuse-registration.ts';
import type { RegisterRequest } from '../requests.ts';
import { peerOf } from '../tools.ts';
import type { ConnectRequest, SettledRegistration } from './connect-request.ts';
import { answerMissing, askForEmail, type ConnectRun } from './connect-run.ts';
import { type ConnectPlan, fits, planConnect } from './plan-connect.ts';
import { newWarnings } from './step-warnings.ts';

/**
 * Registers as planned, or finds that the service still has what was registered before.
 * @throws AgentError `answer_missing` where only a user knows for whom, or at which provider.
 */
export async function registerPlanned(
  run: ConnectRun,
  discovery: Discovery,
  plan: ConnectPlan,
): Promise<SettledRegistration | LoginRequired | ConsentRequired> {
  const outcome = await attempt(run, discovery, plan);
  if (outcome.status === 'login_required' || outcome.status === 'consent_required') return outcome;
  const { already, ended, previous, registration, service } = outcome;
  if (plan.type === 'identity_assertion') {
    requireUser(run.request, userOf(registration), registration.provider ?? 'URL');
  }
  const warnings = newWarnings(discovery.warnings, outcome.warnings);
  run.tell({ step: 'register', already, service, registration, previous, ended, warnings });
  return outcome;
}

async function attempt(
  run: ConnectRun,
  discovery: Discovery,
  plan: ConnectPlan,
): Promise<RegisterOutcome> {
  const { tools, request } = run;
  const common = { service: discovery, reuse: true } as const;
  const among = amongThat(run, plan.known);
  // A registration that was made before stays good for a type that the service has ceased to offer.
  const isOffered = run.service.identityTypes.includes(plan.type);
  switch (plan.type) {
    case 'anonymous': {
      const { known, type } = plan;
      const asked = { ...common, type };
      if (known === undefined || isOffered) return register(tools, asked, among);
      return reuseOrPlanAgain(run, discovery, asked, known);
    }
    case 'service_auth': {
      const { email, known, type } = plan;
      if (
        known === undefined ||
        email === undefined ||
        (request.email !== undefined && isOffered)
      ) {
        const loginHint = email ?? (await askForEmail(request));
        return register(tools, { ...common, type, loginHint }, among);
      }
      // Where the user is that of a stored registration, it is taken into use if active, and never registered again.
      return reuseOrPlanAgain(run, discovery, { ...common, type, loginHint: email }, known);
    }
    case 'identity_assertion': {
      const { type } = plan;
      const provider = plan.provider ?? (await onlyProvider(run));
      const { service } = discovery;
      const { providers } = await tools.store.read();
      const account = providers.find(({ issuer }) => issuer === provider)?.account ?? '';
      requireUser(request, normalizeEmail(account), provider);
      const scopes = service.scopes.length === 0 ? undefined : service.scopes;
      const again = () => register(tools, { ...common, type, provider, scopes }, among);
      return request.user?.atProvider?.({ service, scopes, attempt: again }) ?? again();
    }
  }
}

/** The one of the plan becomes the one in use when the service still has it, and not before. */
function amongThat({ request }: ConnectRun, known: Registration | undefined): Among {
  return { first: known?.id, fits: (one) => fits(one, request) };
}

async function reuseOrPlanAgain(
  run: ConnectRun,
  discovery: Discovery,
  asked: RegisterRequest,
  known: Registration,
): Promise<RegisterOutcome> {
  const among = amongThat(run, known);
  const { ended, outcome } = await reuseRegistration(run.tools, discovery, asked, among);
  if (outcome !== undefined) return outcome;
  const other = await attempt(run, discovery, await planAgain(run, known));
  return 'ended' in other ? { ...other, ended: [...ended, ...other.ended] } : other;
}

/** @param tried no longer to be gone on with. */
async function planAgain(
  { request, service, tools }: ConnectRun,
  tried: Registration,
): Promise<ConnectPlan> {
  const record = recordOf(await tools.store.read(), service);
  const registrations = record?.registrations.filter(({ id }) => id !== tried.id) ?? [];
  const now = peerOf(tools, service.issuer).now();
  return planConnect(request, service, record && { ...record, registrations }, now);
}

/** @throws AgentError `email_fixed` where the provider identifies another user than was asked for. */
function requireUser(
  { email = '' }: ConnectRequest,
  user: string | null | undefined,
  provider: string,
): void {
  const wanted = normalizeEmail(email);
  if (wanted === undefined || typeof user !== 'string' || normalizeEmail(user) === wanted) return;
  throw new AgentError(
    `${displayText(provider, 100)} identifies ${displayText(user, 254)}, not ${wanted}.`,
    {
      code: 'email_fixed',
      hint: `Let ${wanted} sign in there.`,
      next: { command: 'provider login', args: [provider] },
    },
  );
}

/** Where the user is signed in. */
async function onlyProvider({ tools, request }: ConnectRun): Promise<string> {
  const [only, another] = (await tools.store.read()).providers;
  if (only === undefined || another !== undefined) {
    throw answerMissing('The provider that identifies the user', '--provider', {
      ...request,
      provider: 'URL',
    });
  }
  return only.issuer;
}
