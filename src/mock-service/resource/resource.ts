import {
  type BearerCredentials,
  type Context,
  pathOf,
  type ReadCredentials,
} from '../../mock/http/request.ts';
import { json, NO_STORE, wireProblem } from '../../mock/http/response.ts';
import { buildChallenge } from '../../protocol/challenge.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Clock } from '../../runtime/ports.ts';
import type {
  FixedBody,
  ResourceMethod,
  ServiceConfig,
  ServiceResource,
} from '../config/config.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import type { ClientToken, ClientTokenStore } from '../store/client-token-store.ts';
import type { LiveToken, TokenStore } from '../store/token-store.ts';
import { challengeTo, type judgeCall, type ProtectedCall } from './protected-call.ts';

/** What a protected resource works with. */
export interface ResourceParts {
  readonly config: ServiceConfig;
  readonly dialect: ServiceDialect;
  /** How a call shows its access token. */
  readonly reader: { readonly credentials: ReadCredentials };
  readonly decisions: { readonly judgeCall: typeof judgeCall };
  readonly tokens: TokenStore;
  readonly clientTokens: ClientTokenStore;
  readonly clock: Clock;
}

/** A call of a resource: it needs the resource's scopes, and gets its body (wire contract §2). */
export function callResource(
  service: ResourceParts,
  c: Context,
  resource: ServiceResource,
): Response | Promise<Response> {
  if (resource.open) return replyOf(resource, undefined);
  const caller = authorize(service, c, resource.scopes);
  // What is there already is not waited for.
  return caller instanceof Promise
    ? caller.then((token) => replyOf(resource, token))
    : replyOf(resource, caller);
}

/** What a permitted call gets. */
function replyOf(
  { body, method, status }: ServiceResource,
  caller: LiveToken | undefined,
): Response {
  if (body !== undefined) return fixedReply(body, status);
  return json({ message: MESSAGES[method], ...(caller && callerMembers(caller)) }, { status });
}

const MESSAGES: Readonly<Record<ResourceMethod, string>> = {
  GET: 'Here is the resource.',
  POST: 'The resource was written.',
  PUT: 'The resource was written.',
  PATCH: 'The resource was written.',
  DELETE: 'The resource was deleted.',
};

/** Who calls, for the caller. */
export function callerMembers({ client, holder, scopes }: LiveToken) {
  if (client !== undefined) {
    const { clientId, email, issuer, subject } = client;
    const user = { iss: issuer, sub: subject, ...(email !== undefined && { email }) };
    return { client_id: clientId, scope: scopes.join(' '), user };
  }
  const { email, id, isClaimed } = holder;
  return {
    registration_id: id,
    scope: scopes.join(' '),
    user: isClaimed && email !== undefined ? { email } : null,
  };
}

/**
 * A body may be a page that somebody else wrote, in a description. At the mock's own origin a script of it
 * could act for whoever is signed in here.
 */
const INERT = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
};

function fixedReply({ contentType, text }: FixedBody, status: number): Response {
  return new Response(text === '' ? null : text, {
    status,
    headers: {
      ...(contentType !== '' && { 'content-type': contentType }),
      ...NO_STORE,
      ...INERT,
    },
  });
}

/**
 * The token of a call, if it is valid for this URL and these scopes.
 * @param scopes empty where any token will do.
 * @throws WireProblem with a challenge when it is not.
 */
export function authorize(
  service: ResourceParts,
  c: Context,
  scopes: readonly string[],
): LiveToken | Promise<LiveToken> {
  const presented = service.reader.credentials(c.req.raw);
  return presented instanceof Promise
    ? presented.then((credentials) => admit(service, c, scopes, credentials))
    : admit(service, c, scopes, presented);
}

function admit(
  service: ResourceParts,
  c: Context,
  scopes: readonly string[],
  credentials: BearerCredentials | undefined,
): LiveToken | Promise<LiveToken> {
  const { config } = service;
  const url = config.issuer + pathOf(c.req.url);
  const judge = (token: LiveToken | undefined) =>
    judged(service, { url, scopes, credentials, token });
  if (!credentials?.token) return judge(undefined);
  return findToken(service, credentials.token).then(judge);
}

/** The active token of that text, whatever it was issued for. */
export async function findToken(
  { clientTokens, tokens }: ResourceParts,
  text: string,
): Promise<LiveToken | undefined> {
  const hash = sha256(text);
  return (await tokens.find(hash)) ?? ofClient(await clientTokens.find(hash));
}

/** A client's token, as the token of any call. */
function ofClient(client: ClientToken | undefined): LiveToken | undefined {
  if (client === undefined) return undefined;
  const { resource, scopes } = client;
  return { client, scopes, resource };
}

function judged({ decisions }: ResourceParts, call: ProtectedCall): LiveToken | Promise<never> {
  const verdict = decisions.judgeCall(call);
  return typeof verdict === 'string' ? refuse(call, verdict) : verdict;
}

async function refuse(call: ProtectedCall, code: CodeAt<'resource'>): Promise<never> {
  const challenge = buildChallenge('Bearer', challengeTo(call, code));
  throw wireProblem('resource', code, { headers: { 'www-authenticate': challenge } });
}
