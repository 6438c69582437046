import type { IdentityType } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Service } from '../model.ts';
import { registerStep } from '../records/register-step.ts';

/**
 * None of the types that would do is offered: what is, and the command that takes it.
 * @param url of the service, as it was typed.
 */
export function typeNotOffered(
  wanted: readonly IdentityType[],
  { identityTypes }: Service,
  url: string,
): AgentError {
  const offered = identityTypes.join(', ') || 'none that this agent supports';
  return new AgentError(
    `The service does not offer the type ${wanted.join(' or ')}. It offers: ${offered}.`,
    { code: 'type_not_supported', next: registerStep(url, identityTypes) },
  );
}
