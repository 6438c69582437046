import {
  controlProblem,
  readNames,
  readOptionalText,
  requireMembers,
} from '../../mock/controls/read-control.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { urlProblem } from '../../protocol/urls.ts';
import { parseScope } from '../mint/scopes.ts';
import type { WantedIdJag } from '../tokens/mint-as-asked.ts';

const MEMBERS = [
  ...['email', 'audience', 'client_id', 'resources', 'scope'],
  ...['claims', 'header', 'omit'],
];

/** What the body of `POST /__mock/mint` asks for. @throws WireProblem that names the member that is wrong. */
export function readWanted(given: JsonObject): WantedIdJag {
  const body = requireMembers(given, MEMBERS);
  const email = normalizeEmail(readOptionalText(body, 'email') ?? '');
  if (email === undefined) throw wrong('email must be an email address.');
  const audience = readOptionalText(body, 'audience') ?? '';
  if (urlProblem(audience) !== undefined) throw wrong('audience must be the issuer of a service.');
  const clientId = readOptionalText(body, 'client_id');
  const scope = readOptionalText(body, 'scope');
  const scopes = scope === undefined ? undefined : parseScope(scope);
  if (scope !== undefined && scopes === undefined) throw wrong('scope must be names of scopes.');
  const claims = readObject(body, 'claims');
  const header = readObject(body, 'header');
  return {
    email,
    audience,
    resources: readNames({ resources: [], ...body }, 'resources'),
    omit: readNames({ omit: [], ...body }, 'omit'),
    ...(clientId !== undefined && { clientId }),
    ...(scopes && { scopes }),
    ...(claims && { claims }),
    ...(header && { header }),
  };
}

function readObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name];
  if (value === undefined || isJsonObject(value)) return value;
  throw wrong(`${name} must be a JSON object.`);
}

function wrong(description: string) {
  return controlProblem('invalid_request', description);
}
