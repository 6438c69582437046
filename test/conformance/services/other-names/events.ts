import { Problem, readSecurityEvent } from '../support.ts';
import type { Desk } from './desk.ts';

export const REVOKED =
  'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked';

/** POST /auth/agent/event/notify. One that came before, or that means nothing here, is accepted too. */
export async function takeEvent(desk: Desk, request: Request): Promise<Response> {
  const event = await readSecurityEvent(request, desk.keys, desk.issuer);
  const mark = JSON.stringify([event.iss, 'event', event.jti]);
  if (!desk.used.has(mark) && Object.hasOwn(event.events, REVOKED)) {
    if (event.sub === undefined) {
      throw new Problem(400, 'invalid_request', 'The subject is not a user of the sender.');
    }
    const second = Math.min(event.iat, Math.floor(desk.now() / 1000));
    desk.registry.withdraw({ iss: event.iss, sub: event.sub }, second);
  }
  desk.used.add(mark);
  return new Response(null, { status: 202, headers: { 'Cache-Control': 'no-store' } });
}
