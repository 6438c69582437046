import { Problem, readSecurityEvent, type SecurityEvent } from '../support.ts';
import { keyOf, type Service } from './service.ts';

export const REVOKED_EVENT =
  'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** POST /agent/event/notify: one SET (RFC 8935 §2). */
export async function receiveEvent(service: Service, request: Request): Promise<Response> {
  const event = await readSecurityEvent(request, service.keys, service.origin);
  const key = keyOf(event.iss, event.jti);
  if (service.seenEvents.has(key)) {
    if (service.has('duplicate-set')) throw new Problem(400, 'invalid_request', 'Known already.');
    return accepted();
  }
  if (Object.hasOwn(event.events, REVOKED_EVENT)) revokeUser(service, event);
  service.seenEvents.add(key);
  return accepted();
}

function revokeUser(service: Service, { iss, sub, iat }: SecurityEvent): void {
  if (sub === undefined) {
    throw new Problem(400, 'invalid_request', 'The event names no user of its sender.');
  }
  const user = keyOf(iss, sub);
  for (const registration of service.registrations.values()) {
    const { user: its } = registration;
    if (its?.iss === iss && its.sub === sub) registration.status = 'revoked';
  }
  service.links.delete(user);
  service.revokedUsers.set(user, Math.min(iat, Math.floor(service.now() / 1000)));
}

function accepted(): Response {
  return new Response(null, { status: 202, headers: { 'Cache-Control': 'no-store' } });
}
