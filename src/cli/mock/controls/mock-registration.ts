import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';

/** A registration as the mock service tells it. */
export interface MockRegistration {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly createdAt: string;
  readonly who: string | undefined;
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

export function readRegistrations(body: JsonObject): readonly MockRegistration[] {
  const list = body['registrations'];
  return Array.isArray(list) ? list.filter(isJsonObject).map(readRegistration) : [];
}

export function readRegistration(body: JsonObject): MockRegistration {
  const who = body['email'] ?? body['subject'];
  return {
    id: String(body['registration_id']),
    type: String(body['registration_type']),
    state: String(body['state']),
    createdAt: String(body['created_at']),
    who: typeof who === 'string' ? who : undefined,
    body,
  };
}
