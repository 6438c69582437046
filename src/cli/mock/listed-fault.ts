import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import type { Part } from './controls/find-mocks.ts';

/** A fault as the controls of a mock list it. */
export interface ListedFault {
  readonly name: string;
  /** `null`: it was given to the mock as an object, and exists in its process only. */
  readonly group: string | null;
  readonly description: string;
  readonly on: boolean;
}

/** Faults of one mock. */
export interface MockFaults {
  readonly mock: Part;
  /** `null`: none runs; these are the ones that it would have. */
  readonly issuer: string | null;
  readonly faults: readonly ListedFault[];
}

/** The answer of `GET /__mock/faults`. */
export function readFaults(body: JsonObject): readonly ListedFault[] {
  const list = body['faults'];
  return Array.isArray(list) ? list.filter(isJsonObject).map(readFault) : [];
}

function readFault({ name, group, description, on }: JsonObject): ListedFault {
  return {
    name: String(name),
    group: typeof group === 'string' ? group : null,
    description: String(description),
    on: on === true,
  };
}
