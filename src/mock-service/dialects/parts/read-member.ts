import { type WireProblem, wireProblem } from '../../../mock/http/problems.ts';
import type { JsonObject } from '../../../protocol/json.ts';

type RequestSurface = 'identity' | 'claim' | 'read_back';

/**
 * The text of a member; undefined when it is missing.
 * @throws WireProblem `invalid_request` when it is something else than text.
 */
export function readMember(
  surface: RequestSurface,
  members: JsonObject,
  name: string,
): string | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidMember(surface, `The member ${name} is not a string.`);
}

/** The same of a member that has to be there, and not empty. */
export function requireMember(surface: RequestSurface, members: JsonObject, name: string): string {
  const value = readMember(surface, members, name);
  if (value) return value;
  throw invalidMember(surface, `The member ${name} is missing.`);
}

export function invalidMember(surface: RequestSurface, description: string): WireProblem {
  return wireProblem(surface, 'invalid_request', { description });
}
