import { displayText } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { reachResourceServer } from '../discovery/resource-server.ts';
import type { CrossAppAccess, Registration } from '../model.ts';
import type { AccessGranted, ConsentRequired, LoginRequired } from '../outcomes.ts';
import type { InUse } from '../records/in-use.ts';
import type { Tools } from '../tools.ts';
import { getAccess } from './get-access.ts';

/**
 * Another token by a new ID-JAG.
 * @throws AgentError `login_needed` or `consent_needed` where its user has to act first.
 */
export async function renewAccess(
  tools: Tools,
  { record, registration }: InUse,
  scopes: readonly string[],
): Promise<AccessGranted> {
  const { provider } = registration;
  if (provider === null) throw new TypeError('An access has a provider.');
  const server = await reachResourceServer(tools, record);
  const granted = await getAccess(tools, server, { provider, scopes });
  if (granted.status === 'granted') return granted;
  throw userNeeded(granted, registration, provider);
}

function userNeeded(
  need: LoginRequired | ConsentRequired,
  registration: Registration,
  provider: string,
): AgentError {
  const where = displayText(provider, 100);
  const next = connectAgain(registration);
  return need.status === 'login_required'
    ? new AgentError(`The token is over, and the user has to sign in at ${where} for another.`, {
        code: 'login_needed',
        hint: 'Let the user sign in again.',
        next,
      })
    : new AgentError(`The token is over, and the user has to agree at ${where} to another.`, {
        code: 'consent_needed',
        hint: 'Ask the user to agree again.',
        next,
      });
}

/** What gets access anew. */
export function connectAgain(registration: Registration) {
  const { provider, resource } = registration;
  const { clientId } = accessOf(registration);
  const args = [resource, '--client-id', clientId, ...(provider ? ['--provider', provider] : [])];
  return { command: 'connect', args } as const;
}

export function accessOf({ crossApp }: Registration): CrossAppAccess {
  if (crossApp === undefined) throw new TypeError('That is a registration, and no access.');
  return crossApp;
}
