import { covers, displayText, normalizeEmail, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { dropKept, isSameService } from '../credentials/change-credentials.ts';
import { type IdJagUser, idJagUser } from '../dialects/id-jag-user.ts';
import type { Credentials, KeptAnswer, Service } from '../model.ts';
import type { ForgetKeptRequest, RegisterRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';

/**
 * A registration whose answer was not understood is not made again: each would be another account there.
 * One for another user does not count; one whose user is unknown does.
 * @throws AgentError `registered_not_understood`.
 */
export function requireUnderstood(
  credentials: Credentials,
  service: Service,
  request: RegisterRequest,
): void {
  const kept = (credentials.notUnderstood ?? []).find(
    (one) =>
      one.of === 'registration' &&
      isSameService(one, service) &&
      one.type === request.type &&
      mayBeOfUser(one, userOf(credentials, request)),
  );
  if (kept !== undefined) throw registeredNotUnderstood(kept);
}

/** `null`: not known. */
function userOf({ providers }: Credentials, request: RegisterRequest): IdJagUser {
  const nobody = { provider: null, subject: null, email: null };
  switch (request.type) {
    case 'anonymous':
      return nobody;
    case 'service_auth':
      return { ...nobody, email: request.loginHint };
    case 'identity_assertion': {
      if ('assertion' in request) return idJagUser(request.assertion);
      const { provider } = request;
      const session = providers.find(
        ({ issuer }) => withoutFinalSlash(issuer) === withoutFinalSlash(provider),
      );
      return { provider, subject: null, email: session?.account ?? null };
    }
  }
}

function mayBeOfUser(kept: KeptAnswer, user: IdJagUser): boolean {
  const { provider = null, subject = null, email } = kept;
  if (differ(provider, user.provider, withoutFinalSlash)) return false;
  // A provider's own name for its user stays; the email address beside it may change.
  if (provider !== null && subject !== null && user.subject !== null)
    return subject === user.subject;
  return !differ(email, user.email, (text) => normalizeEmail(text) ?? text);
}

/** Whether both are known and not the same. */
function differ(a: string | null, b: string | null, plain: (text: string) => string): boolean {
  return a !== null && b !== null && plain(a) !== plain(b);
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
    `This agent registered at ${displayText(resource, 100)} before, and the answer was not understood.${sent}`,
    {
      code: 'registered_not_understood',
      hint: `Do not register again, unless you want another registration: agent-auth register --new. To remove what is kept: agent-auth forget ${id}.`,
      next: { command: 'status', args: [] },
    },
  );
}

/** Removes answers that were kept. @throws AgentError `not_registered` where there is none. */
export async function forgetKept(
  tools: Tools,
  { id, service }: ForgetKeptRequest,
): Promise<readonly KeptAnswer[]> {
  const gone = await tools.store.update((current) => {
    const found = findNotUnderstood(current, service).filter(
      (one) => id === undefined || one.id === id,
    );
    return [dropKept(current, (one) => found.includes(one)), found];
  });
  if (gone.length > 0) return gone;
  throw new AgentError('There is no such kept answer.', {
    code: 'not_registered',
    hint: 'See what there is.',
    next: { command: 'status', args: [] },
  });
}
