import { type IdentityType, withoutQuery } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Registration, Service } from '../model.ts';
import type { Step } from '../next-step.ts';

/**
 * The command that registers at a URL by the lightest of the types that are offered there;
 * `undefined` where this agent supports none of them.
 */
export function registerStep(url: string, offered: readonly IdentityType[]): Step | undefined {
  const lightestFirst = ['anonymous', 'service_auth', 'identity_assertion'] as const;
  const type = lightestFirst.find((each) => offered.includes(each));
  return type && stepOf(withoutQuery(url), { type, email: null, provider: null });
}

/**
 * The command that registers again as a registration was made: the same type and user.
 * @param more `--new` where the service may still have it, and another is wanted all the same.
 */
export function registerAnew(registration: Registration, ...more: readonly '--new'[]): Step {
  return stepOf(registration.resource, registration, more);
}

function stepOf(
  url: string,
  {
    type,
    email,
    provider,
    assertionGiven,
  }: Pick<Registration, 'type' | 'email' | 'provider' | 'assertionGiven'>,
  more: readonly string[] = [],
): Step {
  const how = {
    anonymous: [],
    service_auth: ['--email', email ?? 'EMAIL'],
    identity_assertion: assertionGiven
      ? ['--assertion', '@FILE']
      : ['--provider', provider ?? 'URL'],
  } as const satisfies Record<IdentityType, readonly string[]>;
  return { command: 'register', args: [url, ...how[type], ...more] };
}

/**
 * The error where none of the types that would do is offered: with what is, and the command that takes it.
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
