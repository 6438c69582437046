import { covers, displayText, normalizeEmail, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Credentials, KeptAnswer, Service } from '../model.ts';
import type { RegisterRequest } from '../requests.ts';
import { isSameService } from './change-credentials.ts';

/**
 * A registration that was made and not understood is not made again: each would be another account there.
 * @param anew the caller knows, and wants another one.
 * @throws AgentError `registered_not_understood`.
 */
export function requireUnderstood(
  credentials: Credentials,
  service: Service,
  request: RegisterRequest,
  anew: boolean,
): void {
  const email = request.type === 'service_auth' ? normalizeEmail(request.loginHint) : undefined;
  const kept = (credentials.notUnderstood ?? []).find(
    (one) =>
      one.of === 'registration' &&
      isSameService(one, service) &&
      one.type === request.type &&
      (email === undefined || one.email === email),
  );
  if (kept !== undefined && !anew) throw registeredNotUnderstood(kept);
}

/** Registrations that are not understood, at what `service` names; without a name, anywhere. */
export function findNotUnderstood(
  { notUnderstood = [] }: Credentials,
  service: string | undefined,
): readonly KeptAnswer[] {
  const named = service === undefined ? undefined : withoutFinalSlash(service);
  return notUnderstood.filter(({ issuer, resource }) => {
    if (service === undefined || named === undefined) return true;
    const isNamed = withoutFinalSlash(issuer) === named || withoutFinalSlash(resource) === named;
    return isNamed || covers(resource, service);
  });
}

export function registeredNotUnderstood({ id, resource, members }: KeptAnswer): AgentError {
  const sent = members.length === 0 ? '' : ` It sent: ${members.join(', ')}.`;
  return new AgentError(
    `This agent registered with ${displayText(resource, 100)} before, and the answer was not understood.${sent}`,
    {
      code: 'registered_not_understood',
      hint: `Do not register again, unless you want another registration: --new. To remove what is kept: forget ${id}.`,
      next: { command: 'status', args: [] },
    },
  );
}
