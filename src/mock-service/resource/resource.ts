import { type Context, json, wireProblem } from '../../mock/index.ts';
import { buildChallenge } from '../../protocol/index.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { LiveToken, TokenStore } from '../store/index.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { ReadCredentials } from './bearer-credentials.ts';
import type { Challenge, judgeCall } from './protected-call.ts';

/** What a protected resource works with. */
export interface ResourceParts {
  readonly accessTokens: AccessTokens;
  /** The challenge to a call that is refused. */
  readonly challengeTo: Challenge;
  readonly config: ServiceConfig;
  /** How a call shows its access token. */
  readonly credentials: ReadCredentials;
  readonly decisions: { readonly judgeCall: typeof judgeCall };
  readonly tokens: TokenStore;
}

/** `/api/resource` and below: GET needs `api.read`, POST needs `api.write` (wire.md §2). */
export async function resource(service: ResourceParts, c: Context): Promise<Response> {
  const writes = c.req.method === 'POST';
  const { registration, scopes } = await authorize(service, c, writes ? 'api.write' : 'api.read');
  const { claimedAt, email, id, needsClaim } = registration.facts;
  const claimed = claimedAt !== undefined || !needsClaim;
  return json({
    message: writes ? 'The resource was written.' : 'Here is the resource.',
    registration_id: id,
    scope: scopes.join(' '),
    user: claimed && email !== undefined ? { email } : null,
  });
}

/**
 * The token of a call, if it is valid for this URL and scope.
 * @throws WireProblem with a challenge when it is not.
 */
export async function authorize(
  { accessTokens, challengeTo, config, credentials, decisions, tokens }: ResourceParts,
  c: Context,
  scope: string,
): Promise<LiveToken> {
  const presented = await credentials(c.req.raw);
  const call = {
    url: config.issuer + new URL(c.req.url).pathname,
    scope,
    credentials: presented,
    token: presented?.token ? await tokens.find(accessTokens.hash(presented.token)) : undefined,
  };
  const verdict = decisions.judgeCall(call);
  if (typeof verdict !== 'string') return verdict;
  const challenge = buildChallenge('Bearer', await challengeTo(call, verdict));
  throw wireProblem('resource', verdict, { headers: { 'www-authenticate': challenge } });
}
