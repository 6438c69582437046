import { displayText, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import type { GivenClient } from '../client-model.ts';
import { putClient } from '../credentials/change-credentials.ts';
import { clientOf } from '../given-client.ts';
import type { Credentials, KeptClient } from '../model.ts';
import type { Step } from '../next-step.ts';
import { problemError, wordsBeside } from '../problems/problem.ts';
import { changeStore, type Tools } from '../tools.ts';

/** The client that one server knows: as the agent was made with, else as it is kept. */
export function clientAt(
  tools: Pick<Tools, 'clients'>,
  { clients = [] }: Credentials,
  issuer: string,
): KeptClient | undefined {
  const isMeant = (one: KeptClient) => withoutFinalSlash(one.issuer) === withoutFinalSlash(issuer);
  const found = tools.clients.find(isMeant) ?? clients.find(isMeant);
  return found && { ...found, issuer };
}

/**
 * Keeps what was given for one server. An id alone leaves the secret that is kept with it, and replaces no secret of
 * another client: whoever names it may be a model.
 * @returns the client; `undefined` where none was given.
 * @throws AgentError `client_auth_missing`.
 */
export async function keepClient(
  tools: Tools,
  issuer: string,
  given: GivenClient | undefined,
): Promise<KeptClient | undefined> {
  if (given === undefined) return undefined;
  const client = clientOf(issuer, given);
  const known = clientAt(tools, await tools.store.read(), issuer);
  const isBare = !hasCredentials(client);
  if (isBare && known?.clientId === client.clientId) return known;
  if (isBare && known !== undefined && hasCredentials(known)) {
    throw new AgentError(
      `At ${displayText(issuer, 100)} this agent is the client ${displayText(known.clientId, 100)}, whose credentials are kept. Nothing was changed.`,
      {
        code: 'client_auth_missing',
        hint: `Leave the id out to go on as that client, or give the secret or the key of ${displayText(client.clientId, 100)} as well.`,
      },
    );
  }
  await changeStore(tools, (current) => putClient(current, client));
  return client;
}

export interface TriedClient {
  /** `undefined`: none was given. */
  readonly client: KeptClient | undefined;
  /** The agent's tools with that client, kept or not. */
  readonly tools: Tools;
  /** Set where it is not kept yet: to be called once the server has taken it. */
  readonly keep: (() => Promise<void>) | undefined;
}

/**
 * Names a client as `keepClient` does, but keeps one that would replace other credentials only once the server has
 * taken it: a secret that is wrong must not cost a good one.
 * @throws AgentError `bad_client` or `client_auth_missing`.
 */
export async function tryClient(
  tools: Tools,
  issuer: string,
  given: GivenClient | undefined,
): Promise<TriedClient> {
  const client = given && clientOf(issuer, given);
  const known = clientAt({ clients: [] }, await tools.store.read(), issuer);
  const isBoth = client && known && hasCredentials(client) && hasCredentials(known);
  if (!isBoth || isSameClient(client, known)) {
    return { client: await keepClient(tools, issuer, given), tools, keep: undefined };
  }
  return {
    client,
    tools: { ...tools, clients: [client, ...tools.clients] },
    keep: () => changeStore(tools, (current) => putClient(current, client)),
  };
}

function hasCredentials({ key, secret }: KeptClient): boolean {
  return (secret ?? key) !== null;
}

function isSameClient(one: KeptClient, other: KeptClient): boolean {
  return (
    one.clientId === other.clientId &&
    one.secret?.reveal() === other.secret?.reveal() &&
    one.key?.reveal() === other.key?.reveal()
  );
}

/** A client without credentials: what anybody may say. */
export function publicClient(issuer: string, clientId: string): KeptClient {
  return { issuer, clientId, secret: null, key: null };
}

/** What a client has at the other server is what it is most often shown by mistake. */
const ROLES = {
  provider: { name: 'The provider', other: 'service' },
  service: { name: 'The service', other: 'provider' },
} as const;

/** The command that hands over what a client has at one server. */
export function giveClient(role: keyof typeof ROLES, server: string, clientId = 'ID'): Step {
  const args = [server, '--client-id', clientId, '--client-secret', '@FILE'];
  return { command: role === 'provider' ? 'provider login' : 'connect', args };
}

/**
 * A refusal of a token endpoint, which says at which of the two servers and with which of the two ids.
 * @param url where the client is connected to, where that is the service.
 */
export function clientProblem(
  problem: Problem,
  { clientId, issuer, key, secret }: KeptClient,
  role: keyof typeof ROLES,
  url = issuer,
): AgentError {
  const { code } = problem;
  if (code !== 'invalid_client' && code !== 'unauthorized_client') return problemError(problem);
  const { name, other } = ROLES[role];
  const shown = displayText(clientId, 100);
  const isBare = secret === null && key === null;
  const by = isBare ? ', without a secret' : '';
  const given =
    isBare && role === 'provider'
      ? ' What `connect` was given as the secret went to the service alone.'
      : '';
  const does =
    code === 'invalid_client'
      ? `does not accept the client ${shown}${by}`
      : `does not let the client ${shown} do this`;
  return new AgentError(
    `${name} (${displayText(issuer, 100)}) ${does}.${wordsBeside(problem, '')}`,
    {
      code,
      kind: 'refused',
      hint: `This is its id at the ${role}; the id at the ${other} is another, as a rule. Give id and secret of the ${role}.${given}`,
      next: giveClient(role, url),
      problem,
    },
  );
}
