import { displayText, normalizeEmail } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Discovery, Registration } from '../model.ts';
import type { ConsentRequired, LoginRequired, RegisterOutcome } from '../outcomes.ts';
import { userOf } from '../records/registration-state.ts';
import { recordOf } from '../records/select-service.ts';
import { register } from '../register/register.ts';
import { reuseRegistration } from '../register/reuse-registration.ts';
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
  const { signal } = request;
  const common = { service: discovery, signal, reuse: true } as const;
  // The one of the plan becomes the one in use when the service still has it, and not before.
  const among = { first: plan.known?.id, fits: (one: Registration) => fits(one, request) };
  switch (plan.type) {
    case 'anonymous':
      return register(tools, { ...common, type: plan.type }, among);
    case 'service_auth': {
      const { email, known, type } = plan;
      if (request.email !== undefined || known === undefined || email === undefined) {
        const loginHint = email ?? (await askForEmail(request));
        return register(tools, { ...common, type, loginHint }, among);
      }
      // The user is that of a stored registration: it is taken into use if active, and never registered again.
      const asked = { ...common, type, loginHint: email };
      const { ended, outcome } = await reuseRegistration(tools, discovery, asked, among);
      if (outcome !== undefined) return outcome;
      const other = await attempt(run, discovery, await planAgain(run, known));
      return 'ended' in other ? { ...other, ended: [...ended, ...other.ended] } : other;
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
