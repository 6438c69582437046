import type { Registration } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import { strangerToken } from '../answer/stranger.ts';
import { type Next, nextTool } from '../next/next.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { ToolError } from './tool-error.ts';

/** What is stored of the registration in use at a service; `undefined`: there is none. */
export async function inUseAt({ store }: Pick<McpWorld, 'store'>, service: string | undefined) {
  const record = findServiceRecord(await store.read(), service);
  return record?.registrations.find(({ id }) => id === record.current);
}

/** To register again after the access was ended: for the same user, and only once they have agreed (`new`). */
export function connectAnew(registration: Registration): Next {
  const { resource, type, provider } = registration;
  const at = type === 'identity_assertion' ? (provider ?? undefined) : undefined;
  const user = at === undefined ? (userOf(registration) ?? undefined) : undefined;
  return nextTool('connect', { service: resource, email: user, provider: at }, ['new']);
}

export const ASK_BEFORE_NEW =
  'The user or the service may have ended the access on purpose. Tell the user, and register again only if they agree.';

/**
 * Where the service has ended the registration in use, another one needs the consent of the user.
 * @returns the one that was ended, where the user has agreed to another.
 * @throws ToolError `registration_over`.
 */
export async function requireConsent(
  world: McpWorld,
  service: string,
  {
    email,
    new: agreed,
  }: { readonly email?: string | undefined; readonly new?: boolean | undefined },
): Promise<Registration | undefined> {
  const record = findServiceRecord(await world.store.read(), service);
  const current = record?.registrations.find(({ id }) => id === record.current);
  if (record === undefined || current?.ended !== 'revoked') return undefined;
  // Another one that still works is used as it is; another user is asked anyway.
  if (record.registrations.some(({ ended }) => ended === null)) return undefined;
  if (agreed || (email !== undefined && email !== userOf(current))) return current;
  throw new ToolError(
    'The access of this agent at the service was ended: its registration was revoked.',
    {
      code: 'registration_over',
      hint: ASK_BEFORE_NEW,
      next: connectAnew(current),
      details: { registration_id: strangerToken(current.id, 200, world.mask) },
    },
  );
}
