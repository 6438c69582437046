import type { Context } from 'hono';
import { readText, transportProblem } from '../../mock/index.ts';
import { isJsonObject, type JsonObject, MEDIA_TYPE, SECOND } from '../../protocol/index.ts';
import type { ServiceContext } from '../service-context.ts';

/** The body of a delivery; a fault takes any media type, or no parameter of it. */
export async function readEvent({ faults }: ServiceContext, c: Context): Promise<string> {
  const type = c.req.header('content-type') ?? '';
  if (faults.has('eventParametersRefused') && type.includes(';')) {
    throw transportProblem('unsupported_media_type');
  }
  if (faults.has('eventMediaTypeUnchecked')) return c.req.text();
  return readText(c, MEDIA_TYPE.securityEvent);
}

/** What a service with the mistake takes in the place of an event. */
export async function isMistakenForEvent(
  { assertions, faults }: ServiceContext,
  token: string,
): Promise<boolean> {
  if (!faults.has('ownTokensAreEvents')) return false;
  return token.startsWith('at_') || (await assertions.verify(token)) !== undefined;
}

/** Whether a mistake refuses an event that is right. */
export function refusesRightEvent(claims: JsonObject, { faults }: ServiceContext): boolean {
  const { events, exp, extra } = claims;
  const types = isJsonObject(events) ? Object.keys(events) : [];
  const unknown = types.some((type) => !type.includes('/agent/auth/'));
  return (
    (unknown && faults.has('unknownEventsRefused')) ||
    (extra !== undefined && faults.has('eventMembersRefused')) ||
    (exp !== undefined && faults.has('eventExpRefused'))
  );
}

/** The claims as a service reads them that asks for none. */
export function withDefaults(claims: JsonObject, now: number): JsonObject {
  return { jti: JSON.stringify(claims), iat: Math.floor(now / SECOND), ...claims };
}
