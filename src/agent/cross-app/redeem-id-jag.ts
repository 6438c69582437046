import { displayText, JWT_BEARER_GRANT } from '../../protocol/index.ts';
import { type Secret, sha256 } from '../../runtime/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { clientRequest, requireMethod } from '../clients/authenticate.ts';
import { clientProblem, giveClient } from '../clients/client-at.ts';
import { addRegistration } from '../credentials/change-credentials.ts';
import { readExchange } from '../dialects/read-credential.ts';
import type { ResourceServer } from '../discovery/resource-server.ts';
import type { CrossAppAccess, KeptClient, Registration, Warning } from '../model.ts';
import type { AccessGranted } from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import { changeStore, peerOf, type Tools } from '../tools.ts';

/** What is redeemed, and what is remembered of it. */
export interface Redeemable {
  readonly assertion: Secret;
  readonly provider: string;
  /** Who is signed in there; `null`: not known. */
  readonly account: string | null;
  readonly access: CrossAppAccess;
}

/**
 * Redeems an ID-JAG, once (RFC 7523 §2.1, EMA §7.4.2), and stores the token with what gets the next one.
 * @throws AgentError of the refusal; the ID-JAG is not to be sent again in any case.
 */
export async function redeemIdJag(
  tools: Tools,
  server: ResourceServer,
  client: KeptClient,
  { access, account, assertion, provider }: Redeemable,
): Promise<AccessGranted> {
  const { service } = server;
  requireMethod(server, client, giveClient('service', service.resource, client.clientId));
  const scopes = access.scopes.join(' ') || undefined;
  const request = await clientRequest(tools, server, client, {
    grant_type: JWT_BEARER_GRANT,
    assertion: assertion.reveal(),
    scope: scopes,
    resource: service.resource,
  });
  const peer = peerOf(tools, server.issuer);
  const answer = await peer.send(request, tools.signal);
  const problem = readProblem(answer, 'token');
  if (problem !== undefined) throw refusal(problem, server, client, provider);
  const { token: given, warnings } = readExchange(answer);
  // Left out, it is what was asked for (RFC 6749 §5.1).
  const token = { ...given, scopes: given.scopes ?? (scopes === undefined ? null : access.scopes) };
  const { issuer, name, resource } = service;
  const registration: Registration = {
    id: accessId({ issuer, resource, provider, clientId: access.clientId }),
    type: 'identity_assertion',
    ...{ issuer, resource, provider, token },
    dialect: 'flat',
    createdAt: tools.context.clock.now(),
    assertion: null,
    preClaimScopes: null,
    postClaimScopes: token.scopes,
    claim: null,
    claimed: true,
    email: account?.includes('@') ? account : null,
    crossApp: access,
    ended: null,
  };
  const record = { issuer, resource, name: name ?? null, clockOffset: peer.offset };
  await changeStore(tools, (current) => addRegistration(current, record, registration));
  return {
    status: 'granted',
    ...{ service, registration, token },
    warnings: [
      ...warnings,
      ...narrowed(
        access.scopes,
        token.scopes,
        (scopes) => `The token does not allow ${scopes}, which was asked for.`,
      ),
    ],
  };
}

/** The same for the same client, provider and resource: there is one access of each. */
export function accessId(of: {
  readonly issuer: string;
  readonly resource: string;
  readonly provider: string;
  readonly clientId: string;
}): string {
  return `acc_${sha256(JSON.stringify([of.issuer, of.resource, of.provider, of.clientId])).slice(0, 16)}`;
}

/** What is missing of the scopes that were asked for; `given` is `null` where nobody said. */
export function narrowed(
  asked: readonly string[],
  given: readonly string[] | null,
  says: (missing: string) => string,
): readonly Warning[] {
  const missing = asked.filter((scope) => given !== null && !given.includes(scope));
  if (missing.length === 0) return [];
  return [{ code: 'scope_narrowed', message: says(displayText(missing.join(' '), 200)) }];
}

/** The service says little of an ID-JAG that it refuses (EMA §7.4.2): what is most often wrong is said here. */
function refusal(
  problem: Problem,
  { issuer, service }: ResourceServer,
  client: KeptClient,
  provider: string,
): AgentError {
  const { code } = problem;
  const who = displayText(issuer, 100);
  switch (code) {
    case 'invalid_client':
    case 'unauthorized_client':
      return clientProblem(problem, client, 'service', service.resource);
    case 'invalid_grant':
      return new AgentError(`${who} refused the ID-JAG of ${displayText(provider, 100)}.`, {
        code,
        kind: 'refused',
        hint: `Check that it trusts that provider, knows the user, and knows the client as ${displayText(client.clientId, 100)}. It tells only its own log why.`,
        problem,
      });
    case 'access_denied':
      return new AgentError(`${who} does not let this user in. A new sign-in does not help.`, {
        code,
        kind: 'refused',
        hint: 'Stop, and tell the user: who runs the service decides that.',
        problem,
      });
    default:
      return problemError(problem);
  }
}
