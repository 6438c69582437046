import {
  type Context,
  json,
  NO_STORE,
  pathOf,
  type ReadCredentials,
  Reply,
  wireProblem,
} from '../../mock/index.ts';
import { buildChallenge } from '../../protocol/index.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { FixedBody, ResourceMethod, ServiceResource } from '../config/resource.ts';
import type { ServiceDialect } from '../dialects/dialect.ts';
import type { LiveToken, TokenStore } from '../store/index.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { Challenge, judgeCall } from './protected-call.ts';

/** What a protected resource works with. */
export interface ResourceParts {
  readonly accessTokens: AccessTokens;
  /** The challenge to a call that is refused. */
  readonly challengeTo: Challenge;
  readonly config: ServiceConfig;
  readonly dialect: ServiceDialect;
  /** How a call shows its access token. */
  readonly credentials: ReadCredentials;
  readonly decisions: { readonly judgeCall: typeof judgeCall };
  readonly tokens: TokenStore;
}

/** A call of a resource: it needs the resource's scopes, and gets its body (wire contract §2). */
export async function callResource(
  service: ResourceParts,
  c: Context,
  { body, method, open, scopes, status }: ServiceResource,
): Promise<Response> {
  const caller = open ? undefined : await authorize(service, c, scopes.join(' '));
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

function callerMembers({ holder, scopes }: LiveToken) {
  const { claimedAt, email, id, needsClaim } = holder;
  const claimed = claimedAt !== undefined || !needsClaim;
  return {
    registration_id: id,
    scope: scopes.join(' '),
    user: claimed && email !== undefined ? { email } : null,
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
  return Reply.of({
    status,
    headers: {
      ...(contentType !== '' && { 'content-type': contentType }),
      ...NO_STORE,
      ...INERT,
    },
    text: text === '' ? null : text,
  });
}

/**
 * The token of a call, if it is valid for this URL and scope.
 * @param scope scopes, separated by spaces; empty where any token will do.
 * @throws WireProblem with a challenge when it is not.
 */
export async function authorize(
  { accessTokens, challengeTo, config, credentials, decisions, tokens }: ResourceParts,
  c: Context,
  scope: string,
): Promise<LiveToken> {
  const presented = await credentials(c.req.raw);
  const call = {
    url: config.issuer + pathOf(c.req.url),
    scope,
    credentials: presented,
    token: presented?.token ? await tokens.find(accessTokens.hash(presented.token)) : undefined,
  };
  const verdict = decisions.judgeCall(call);
  if (typeof verdict !== 'string') return verdict;
  const challenge = buildChallenge('Bearer', await challengeTo(call, verdict));
  throw wireProblem('resource', verdict, { headers: { 'www-authenticate': challenge } });
}
