import { displayText, type JsonObject } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { WireRequest } from '../http/peer.ts';
import { formRequest } from '../http/wire-requests.ts';
import type { KeptClient } from '../model.ts';
import type { Step } from '../next-step.ts';
import { peerOf, type Tools } from '../tools.ts';

/** A server at which clients authenticate, as its metadata has it. */
export interface ClientParty {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** `undefined`: it does not say. */
  readonly authMethods: readonly string[] | undefined;
  /** What client assertions may be signed with; `undefined`: it does not say. */
  readonly authAlgorithms: readonly string[] | undefined;
}

/** How a server says that it takes clients (RFC 8414 §2). */
export function authenticationOf(
  document: JsonObject,
): Pick<ClientParty, 'authAlgorithms' | 'authMethods'> {
  return {
    authMethods: namesIn(document, 'token_endpoint_auth_methods_supported'),
    authAlgorithms: namesIn(document, 'token_endpoint_auth_signing_alg_values_supported'),
  };
}

/** A list of names; `undefined` where there is none. */
export function namesIn(document: JsonObject, member: string): readonly string[] | undefined {
  const value = document[member];
  if (!Array.isArray(value)) return undefined;
  return value.filter((name) => typeof name === 'string');
}

type Method = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** RFC 7523 §2.2. */
const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * The way that the server takes and the client can go, the stronger one first; `undefined` where there is none. A
 * server that does not say takes `client_secret_basic` (RFC 8414 §2), and a public client may be known to it.
 */
function methodFor({ authMethods }: ClientParty, client: KeptClient): Method | undefined {
  const takes = (method: Method) => authMethods === undefined || authMethods.includes(method);
  const able: readonly Method[] = [
    ...(client.key === null ? [] : (['private_key_jwt'] as const)),
    ...(client.secret === null ? [] : (['client_secret_basic', 'client_secret_post'] as const)),
    ...(client.key === null && client.secret === null ? (['none'] as const) : []),
  ];
  return able.find(takes);
}

/**
 * Before anything is sent, and before a user is asked for anything.
 * @param give the command that hands over credentials for this server.
 * @throws AgentError `client_auth_missing`.
 */
export function requireMethod(party: ClientParty, client: KeptClient, give: Step): void {
  if (methodFor(party, client) !== undefined) return;
  const has = client.key ? 'a key' : client.secret ? 'a secret' : 'no secret and no key';
  const methods = displayText(party.authMethods?.join(', ') ?? '', 200) || 'none at all';
  throw new AgentError(
    `${displayText(party.issuer, 100)} takes clients by ${methods}, and there is ${has} for the client ${displayText(client.clientId, 100)} there.`,
    {
      code: 'client_auth_missing',
      hint: 'Give what the client has at that server; it is kept, and sent to that server alone.',
      next: give,
    },
  );
}

/**
 * A form for the token endpoint, with what shows who the client is (RFC 6749 §2.3, RFC 7523 §2.2). What a client has at
 * one server is never sent to another.
 */
export async function clientRequest(
  tools: Tools,
  party: ClientParty,
  client: KeptClient,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<WireRequest> {
  const { clientId, key, secret } = client;
  if (client.issuer !== party.issuer) throw new TypeError('This client is of another server.');
  const url = party.tokenEndpoint;
  // Where its metadata offers nothing that fits, the server says so itself.
  switch (methodFor(party, client) ?? (secret === null ? 'none' : 'client_secret_basic')) {
    case 'private_key_jwt': {
      const { clientAssertion } = await import('./client-assertion.ts');
      return formRequest(url, {
        ...parameters,
        client_id: clientId,
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: await clientAssertion({
          issuer: party.issuer,
          algorithms: party.authAlgorithms,
          clientId,
          key: key?.reveal() ?? '',
          now: peerOf(tools, party.issuer).now(),
          random: tools.context.random,
        }),
      });
    }
    case 'client_secret_basic': {
      const request = formRequest(url, parameters);
      // Form-encoded first (RFC 6749 §2.3.1): an id that is a URL has colons.
      const pair = `${formEncoded(clientId)}:${formEncoded(secret?.reveal() ?? '')}`;
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      return { ...request, headers: { ...request.headers, authorization } };
    }
    case 'client_secret_post':
      return formRequest(url, {
        ...parameters,
        client_id: clientId,
        client_secret: secret?.reveal(),
      });
    case 'none':
      return formRequest(url, { ...parameters, client_id: clientId });
  }
}

/** RFC 6749, appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}
