import { type ControlRoute, get, post } from '../../mock/controls/control-routes.ts';
import {
  controlProblem,
  readControlBody,
  readOptionalNames,
  readOptionalText,
  readPathText,
  requireMembers,
} from '../../mock/controls/read-control.ts';
import type { Context } from '../../mock/http/request.ts';
import { instant } from '../../protocol/instant.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isStorableText } from '../../protocol/text.ts';
import { urlProblem } from '../../protocol/urls.ts';
import type { TrustEntry } from '../config/config.ts';
import type { ServiceKey } from '../directory/change-catalog.ts';
import { mailJson } from '../mailbox/mailbox.ts';
import type { AddedTrust, InspectedRegistration, ServiceControls } from './service-controls.ts';

/** What an agent registered, its user's part of a claim, the directory, and who else is trusted. */
export function serviceControlRoutes(controls: ServiceControls): readonly ControlRoute[] {
  return [
    post('/trust', async (c) =>
      trustBody(await controls.trust(readTrust(await readControlBody(c)))),
    ),
    get('/directory', async () => ({ services: await controls.directory() })),
    post('/directory/add', async (c) => controls.addDirectoryService(await readControlBody(c))),
    post('/directory/set', async (c) => {
      const { service, ...changes } = await readControlBody(c);
      return controls.setDirectoryService(readKey(service), changes);
    }),
    post('/directory/remove', async (c) =>
      controls.removeDirectoryService(readKey((await readControlBody(c))['service'])),
    ),
    get('/registrations', async () => ({
      registrations: (await controls.registrations()).map(body),
    })),
    get('/registrations/:id', async (c) => body(await controls.registration(idOf(c)))),
    get('/mails', async (c) => {
      const mails = await controls.mails({ to: c.req.query('to') });
      return { mails: mails.map(mailJson) };
    }),
    post('/registrations/:id/complete', async (c) =>
      body(await controls.complete(idOf(c), await emailOf(c))),
    ),
    post('/registrations/:id/deny', async (c) =>
      body(await controls.deny(idOf(c), await emailOf(c))),
    ),
    post('/registrations/:id/revoke', async (c) => body(await controls.revoke(idOf(c)))),
  ];
}

function readKey(service: unknown): ServiceKey {
  if (Number.isSafeInteger(service)) return Number(service);
  if (typeof service === 'string' && isStorableText(service)) return service;
  throw controlProblem('invalid_request', 'service must be the id or the name of a service.');
}

function idOf(c: Context): string {
  return readPathText(c, 'id');
}

async function emailOf(c: Context): Promise<string | undefined> {
  return readOptionalText(await readControlBody(c), 'email');
}

function trustBody({
  issuer,
  name,
  jwksUri,
  clientIds,
  mailDomains,
  trust,
}: AddedTrust): JsonObject {
  return {
    issuer,
    name,
    // Where it is not given, the issuer's metadata is read when a key is needed.
    jwks_uri: jwksUri ?? null,
    client_ids: clientIds,
    mail_domains: mailDomains ?? null,
    trust,
  };
}

/** A registration without its secrets, of which only hashes are stored. */
function body({
  agentName,
  createdAt,
  facts,
  issuer,
  state,
  subject,
  userCode,
}: InspectedRegistration): JsonObject {
  const { attempt, delivery } = facts;
  return {
    registration_id: facts.id,
    registration_type: facts.type,
    state,
    created_at: instant(createdAt),
    window_ends_at: facts.needsClaim ? instant(facts.windowEndsAt) : null,
    claimed_at: facts.claimedAt === undefined ? null : instant(facts.claimedAt),
    revoked_at: facts.revokedAt === undefined ? null : instant(facts.revokedAt),
    collected_at: delivery === undefined ? null : instant(delivery.firstAt),
    email: facts.email ?? null,
    agent_name: agentName ?? null,
    issuer: issuer ?? null,
    subject: subject ?? null,
    version: facts.version,
    pre_claim_scopes: facts.preClaimScopes,
    post_claim_scopes: facts.postClaimScopes,
    resource: facts.resource ?? null,
    wrong_codes: facts.wrongCodes,
    claim_attempt:
      attempt === undefined
        ? null
        : {
            claim_attempt_id: attempt.id,
            expires_at: instant(attempt.expiresAt),
            interval: Math.ceil(attempt.interval / 1000),
            wrong_codes: attempt.wrongCodes,
            denied_at: attempt.deniedAt === undefined ? null : instant(attempt.deniedAt),
            last_poll_at: attempt.lastPollAt === undefined ? null : instant(attempt.lastPollAt),
            // Where the page shows the code to a user who has confirmed.
            ...(attempt.confirmedAt !== undefined && {
              confirmed_at: instant(attempt.confirmedAt),
              user_code: userCode ?? null,
            }),
          },
  };
}

const MEMBERS = ['issuer', 'name', 'jwks_uri', 'client_ids', 'mail_domains'];

/**
 * A trust entry of a control call, as strict as one of a configuration file.
 * @throws WireProblem that says which member is wrong.
 */
function readTrust(given: JsonObject): TrustEntry {
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
