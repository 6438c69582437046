import { withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { callTarget } from '../call/call-target.ts';
import type { AccessToken, Discovery, Registration, Service, Warning } from '../model.ts';
import { reload } from '../records/in-use.ts';
import { findServiceRecord, recordOf } from '../records/select-service.ts';
import { discoverAgain } from '../register/register.ts';
import { peerOf, type Tools } from '../tools.ts';
import { prove } from './connect-call.ts';
import { claimNow } from './connect-claim.ts';
import { registerPlanned } from './connect-register.ts';
import type { ConnectOutcome, ConnectRequest, ConnectStep, ProofCall } from './connect-request.ts';
import { askForEmail, type ConnectRun, connectArgs, tokenFacts } from './connect-run.ts';
import { beyondReach, connected, requireOffered, scopeNeed } from './connect-scopes.ts';
import { leave, watchStore } from './leave.ts';
import { openTypes, planConnect } from './plan-connect.ts';
import { newWarnings, stepWarnings } from './step-warnings.ts';

/** The whole procedure, from a URL to a token that was proven; see `Agent.connect`. */
export async function connect(given: Tools, request: ConnectRequest): Promise<ConnectOutcome> {
  const { onStep = () => {} } = request;
  const warnings: Warning[] = [];
  const tell = (step: ConnectStep) => {
    warnings.push(...newWarnings(warnings, stepWarnings(step)));
    onStep(step);
  };
  const made: Registration[] = [];
  const before = await given.store.read();
  const tools: Tools = {
    ...given,
    // The token of this registration is what is to be shown good.
    environmentToken: undefined,
    store: watchStore(given.store, (registration) => made.push(registration)),
  };
  const progress: Progress = { service: undefined };
  const end = () => leave(tools, { made, before, service: progress.service, tell });
  let outcome: ConnectOutcome;
  try {
    outcome = await walk(tools, { ...request, onStep: tell }, progress);
  } catch (error) {
    if (request.leave) await end();
    throw error;
  }
  const left = request.leave ? await end() : [];
  return outcome.status === 'connected' ? { ...outcome, left, warnings } : outcome;
}

interface Progress {
  service: Service | undefined;
}

async function walk(
  tools: Tools,
  asked: ConnectRequest,
  progress: Progress,
): Promise<ConnectOutcome> {
  const { onStep: tell = () => {}, scopes: wanted = [] } = asked;
  // Checked first: a registration that cannot be stored would be lost.
  await tools.store.probeWritable();
  const url = await urlOf(tools, asked.service);
  const access = await accessToGoOn(tools, asked);
  const isAccess = (asked.client ?? access) !== undefined;
  const discovery = isAccess ? undefined : await discoverUnlessCrossApp(tools, url);
  if (discovery === undefined) {
    const { connectAccess } = await import('./connect-access.ts');
    return connectAccess({ tools, request: { ...asked, ...access }, tell }, url, (service) => {
      progress.service = service;
    });
  }
  const { service } = discovery;
  progress.service = service;
  tell({ step: 'discover', discovery });
  requireOffered(asked, service);
  if (asked.call !== undefined) callTarget(asked.call, service.resource);

  const record = recordOf(await tools.store.read(), service);
  const now = peerOf(tools, service.issuer).now();
  const open = openTypes(asked, service, record, now);
  const typed = open.length === 0 ? asked : { ...asked, ...(await asked.user?.type?.(open)) };
  const plan = planConnect(typed, service, record, now);
  const request = await withEmail(typed, plan.type, plan.known);
  const run: ConnectRun = { tools, request, service, tell };
  const registered = await registerPlanned(run, discovery, plan);
  switch (registered.status) {
    case 'login_required':
    case 'consent_required':
      return registered;
    case 'claim_pending':
    case 'claim_needed': {
      const { registration, already } = registered;
      if (scopeNeed(wanted, registration, null) === 'beyond')
        throw beyondReach(request, registration);
      return claimAndGoOn(run, registration, !already);
    }
    case 'registered': {
      const { registration, token, already } = registered;
      const need = scopeNeed(wanted, registration, token);
      if (need === 'beyond') throw beyondReach(request, registration);
      const isForUser = request.email !== undefined && wanted.length === 0;
      const isWanted = request.claim === true || isForUser || need === 'claim';
      if (isWanted && !registration.claimed) return claimAndGoOn(run, registration, !already);
      return goOn(run, registration, token, already);
    }
  }
}

/**
 * The access by which a resource is reached already: nothing is registered beside it, unless what is asked for is a
 * registration.
 */
async function accessToGoOn(
  tools: Tools,
  { claim, client, email, provider, service, type }: ConnectRequest,
): Promise<Pick<ConnectRequest, 'client' | 'provider'> | undefined> {
  if (claim || (client ?? type ?? email) !== undefined) return undefined;
  const record = findServiceRecord(await tools.store.read(), service);
  const current = record?.registrations.find(({ id }) => id === record.current);
  // Its issuer may be a service that agents register at.
  const isResource = record && withoutFinalSlash(record.resource) === withoutFinalSlash(service);
  if (!isResource || current?.crossApp === undefined) return undefined;
  if (provider !== undefined && provider !== current.provider) return undefined;
  return {
    client: { id: current.crossApp.clientId },
    provider: current.provider ?? undefined,
  };
}

/** `undefined`: no agents register there, and clients have access by the ID-JAGs of a provider. */
async function discoverUnlessCrossApp(tools: Tools, url: string): Promise<Discovery | undefined> {
  try {
    return await discoverAgain(tools, url);
  } catch (error) {
    const isKnown = error instanceof AgentError && error.code === 'no_agent_auth';
    if (isKnown && error.recognition?.role === 'cross_app') return undefined;
    throw error;
  }
}

/** A service that is stored by its issuer is found where the agent registered: its resource. */
async function urlOf(tools: Tools, service: string): Promise<string> {
  const record = findServiceRecord(await tools.store.read(), service);
  const isIssuer = record && withoutFinalSlash(record.issuer) === withoutFinalSlash(service);
  return isIssuer ? record.resource : service;
}

/** Where a claim will need an email address, it is asked for before anything is registered. */
async function withEmail(
  request: ConnectRequest,
  type: Registration['type'],
  known: Registration | undefined,
): Promise<ConnectRequest> {
  const isKnown = known?.claimed || (known?.email ?? known?.claim?.email ?? null) !== null;
  const isNeeded = request.claim === true && type === 'anonymous' && request.email === undefined;
  return isNeeded && !isKnown ? { ...request, email: await askForEmail(request) } : request;
}

async function claimAndGoOn(
  run: ConnectRun,
  registration: Registration,
  isNew = false,
): Promise<ConnectOutcome> {
  const ended = await claimNow(run, registration, isNew);
  if (ended.status !== 'claimed') return ended;
  const { scopes = [] } = run.request;
  if (scopeNeed(scopes, ended.registration, ended.token) === 'beyond') {
    throw beyondReach(run.request, ended.registration);
  }
  return goOn(run, ended.registration, ended.token, false);
}

/** Goes on with a token in hand: the call, and what the agent may do now. */
async function goOn(
  run: ConnectRun,
  registration: Registration,
  token: AccessToken,
  already: boolean,
): Promise<ConnectOutcome> {
  const { request, service, tell, tools } = run;
  tell({ step: 'token', registration, token: tokenFacts(tools, service.issuer, token) });
  let call: ProofCall | null = null;
  if (request.call !== undefined) {
    const proof = await prove(run, request.call);
    call = proof.call;
    tell({ step: 'call', call, warnings: proof.warnings });
    if (proof.kind === 'too_narrow') {
      const now = (await reload(tools, registration)) ?? registration;
      const canClaim = !now.claimed && now.claim !== null;
      if (!canClaim || scopeNeed(proof.scopes, now, token) === 'beyond') throw proof.error;
      return claimForCall(run, now, proof.error);
    }
  }
  return connected(tools, service, { already, call, registration, token });
}

/** A call that needs more scopes leads to the claim, where the user to ask is known. */
async function claimForCall(
  run: ConnectRun,
  registration: Registration,
  tooNarrow: AgentError,
): Promise<ConnectOutcome> {
  try {
    return await claimAndGoOn(run, registration);
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'answer_missing') throw error;
    const filled = { ...run.request, claim: true, email: 'EMAIL' };
    const args = [filled.service, ...connectArgs(filled)];
    throw new AgentError(tooNarrow.message, {
      code: 'insufficient_scope',
      kind: 'refused',
      hint: tooNarrow.hint,
      next: { command: 'connect', args },
      problem: tooNarrow.problem,
    });
  }
}
