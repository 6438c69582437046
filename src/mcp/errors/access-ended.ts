import type { Registration } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import { type IdentityType, normalizeEmail } from '../../protocol/index.ts';
import { type Next, nextTool, ToolError } from '../answer/answer.ts';
import type { ToolCall } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/** The registrations at a service, and which of them is in use. */
async function storedAt({ store }: Pick<McpWorld, 'store'>, service: string | undefined) {
  const record = findServiceRecord(await store.read(), service);
  const registrations = record?.registrations ?? [];
  return { registrations, current: registrations.find(({ id }) => id === record?.current) };
}

/** To register again after the access was ended: for the same user, and only once they have agreed (`new`). */
export function connectAnew(registration: Registration): Next {
  const { resource, type, provider } = registration;
  const at = type === 'identity_assertion' ? provider : null;
  const user = at === null ? userOf(registration) : null;
  return nextTool('connect', { service: resource, email: user, provider: at }, ['new']);
}

export const ASK_BEFORE_NEW =
  'The user or the service may have ended the access on purpose. Tell the user, and register again only if they agree.';

/** What follows a denied claim; that it was denied is in the message. */
export const RESPECT_DENIAL =
  'Respect that. Only if the user says that it was a mistake, ask for a new code.';

/** A user who denied the claim is asked again only on their word (`renew`). */
export function claimAgain(service: string): Next {
  return nextTool('start_claim', { service }, ['renew']);
}

/** What a registration is asked for by. */
export interface Asked {
  readonly type?: IdentityType | undefined;
  readonly email?: string | undefined;
  readonly provider?: string | undefined;
  readonly new?: boolean | undefined;
}

/**
 * Where the service has ended the registration in use, another one needs the consent of the user. One for another
 * user does not: that user is asked by the service.
 * @returns the one that was ended, where another may be registered all the same.
 * @throws ToolError `registration_over`.
 */
export async function requireConsent(
  world: McpWorld,
  service: string,
  asked: Asked,
): Promise<Registration | undefined> {
  const { registrations, current } = await storedAt(world, service);
  if (current?.ended !== 'revoked') return undefined;
  // Another one that still works is used as it is.
  if (registrations.some(({ ended }) => ended === null)) return undefined;
  if (asked.new || isForAnother(asked, userOf(current))) return current;
  throw new ToolError(
    'The access of this agent at the service was ended: its registration was revoked.',
    {
      code: 'registration_over',
      hint: ASK_BEFORE_NEW,
      next: connectAnew(current),
      details: { registration_id: world.show.id(current) },
    },
  );
}

/** Whether it is another user who lost the access, where the email address decides for whom one is registered. */
function isForAnother({ type = 'service_auth', email, provider }: Asked, user: string | null) {
  if (type !== 'service_auth' || provider !== undefined) return false;
  if (email === undefined || user === null) return false;
  const plain = (text: string) => normalizeEmail(text) ?? text;
  return plain(email) !== plain(user);
}

/** What goes on after an error by the tool that failed, and by what the user has said before. */
export async function suitTool(
  error: ToolError,
  world: Pick<McpWorld, 'store' | 'hasToken'>,
  { tool, given, about: { service } }: Pick<ToolCall, 'tool' | 'given' | 'about'>,
): Promise<ToolError> {
  const { code, hint = '', next } = error.facts;
  const toTool = next !== undefined && 'tool' in next ? next : undefined;
  switch (code) {
    case 'not_registered':
      if (tool === 'leave') {
        return error.with({ hint: 'There is nothing to leave.', next: nextTool('get_status') });
      }
      return error.with({
        hint: service === undefined ? error.facts.hint : 'Connect to it first.',
        next: nextTool('connect', { service }, ['service']),
      });
    case 'resource_mismatch': {
      const goesToUrl = tool === 'connect' || tool === 'register' || tool === 'read_skill';
      if (!goesToUrl || toTool?.tool !== 'discover') return error;
      return error.with({
        next: nextTool(tool, { ...given, service: toTool.arguments['service'] }),
      });
    }
    case 'registration_over':
    case 'token_refused': {
      if (toTool?.tool !== 'register') return error;
      const { current } = await storedAt(world, service);
      if (current === undefined) return error;
      return error.with({ hint: ASK_BEFORE_NEW, next: connectAnew(current) });
    }
    // A user who denied the claim is not asked again for want of a scope.
    case 'insufficient_scope':
    case 'access_denied':
    case 'attempt_expired': {
      // The token of the environment is of no registration that is stored, and what a provider refuses is of none.
      const isOfProvider = code === 'access_denied' && given['provider'] !== undefined;
      if (world.hasToken || tool === 'await_sign_in' || isOfProvider) return error;
      const { current } = await storedAt(world, service);
      if (current?.claim?.attempt?.ended !== 'denied') return error;
      return error.with({
        hint: hint.includes(RESPECT_DENIAL) ? hint : `${RESPECT_DENIAL} ${hint}`.trim(),
        next: claimAgain(current.resource),
      });
    }
    default:
      return error;
  }
}
