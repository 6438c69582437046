import type { JsonObject } from '../../protocol/index.ts';

/** The members by which a service gives something, in whichever dialect. */
const GIVEN = [
  'identity_assertion',
  'identity',
  'claim_token',
  'claim',
  'access_token',
  'credential',
  'api_key',
];

/** Whether an answer has a member by which something is given, of whatever type: it is not to be lost. */
export function gives(body: JsonObject): boolean {
  return GIVEN.some((name) => name in body);
}
