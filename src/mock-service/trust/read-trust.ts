import { controlProblem } from '../../mock/controls/control-problem.ts';
import { readNames, readOptionalText, requireMembers } from '../../mock/controls/read-control.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { urlProblem } from '../../protocol/urls.ts';
import type { TrustEntry } from '../config/config.ts';

const MEMBERS = ['issuer', 'name', 'jwks_uri', 'client_ids', 'mail_domains'];

/**
 * A trust entry of a control call, as strict as one of a configuration file.
 * @throws WireProblem that says which member is wrong.
 */
export function readTrust(given: JsonObject): TrustEntry {
  const body = requireMembers(given, MEMBERS);
  const issuer = readUrl(body, 'issuer');
  if (issuer === undefined) {
    throw controlProblem('invalid_request', 'issuer must be the URL of the provider to trust.');
  }
  const name = readOptionalText(body, 'name');
  if (name === '') throw controlProblem('invalid_request', 'name must be text that is not empty.');
  const jwksUri = readUrl(body, 'jwks_uri');
  const clientIds = readOptionalNames(body, 'client_ids');
  const mailDomains = readOptionalNames(body, 'mail_domains');
  return {
    issuer,
    ...(name !== undefined && { name }),
    ...(jwksUri !== undefined && { jwksUri }),
    ...(clientIds && { clientIds }),
    ...(mailDomains && { mailDomains }),
  };
}

function readUrl(body: JsonObject, name: string): string | undefined {
  const url = readOptionalText(body, name);
  if (url === undefined || urlProblem(url) === undefined) return url;
  throw controlProblem('invalid_request', `${name} must be a URL: https, or http on this machine.`);
}

function readOptionalNames(body: JsonObject, name: string): readonly string[] | undefined {
  return body[name] === undefined ? undefined : readNames(body, name);
}
