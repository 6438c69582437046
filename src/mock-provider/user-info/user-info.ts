import {
  type BearerCredentials,
  bearerCredentials,
  type Context,
  readForm,
} from '../../mock/http/request.ts';
import { json, type WireProblem, wireProblem } from '../../mock/http/response.ts';
import { buildChallenge } from '../../protocol/challenge.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { MEDIA_TYPE } from '../../protocol/constants.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** The scope without which a sign-in is none of OpenID Connect (Core §3.1.2.1). */
const OPENID = 'openid';

/**
 * `GET` and `POST /oauth2/userinfo`: the claims about the signed-in user (OpenID Connect Core §5.3), for
 * the access token that the device grant gave.
 */
export async function userInfo(provider: ProviderContext, c: Context): Promise<Response> {
  const { config, decisions, signInTokens, users } = provider;
  const presented = await readCredentials(provider, c);
  if (presented === undefined) throw refused('missing_token');
  const token =
    presented.token === undefined ? undefined : await signInTokens.find(sha256(presented.token));
  const user = token && (await users.find(token.email));
  if (token === undefined || user === undefined) throw refused('invalid_token');
  const { clientId, scopes } = token;
  if (!scopes.includes(OPENID)) throw refused('insufficient_scope');
  return json(decisions.userInfo({ clientId, config, user, scopes }));
}

/** Reads the token from the header or from a form, not from both (RFC 6750 §2). */
async function readCredentials(
  { reader }: ProviderContext,
  c: Context,
): Promise<BearerCredentials | undefined> {
  const inHeader = await bearerCredentials(c.req.raw);
  if (c.req.method !== 'POST' || !reader.accepts(c.req.raw, MEDIA_TYPE.form)) return inHeader;
  const inBody = (await readForm(reader, c, 'resource')).get('access_token');
  if (inBody === undefined) return inHeader;
  if (inHeader === undefined) return { token: inBody };
  throw refused('invalid_request', 'The access token is given twice.');
}

/** The challenge names no error to a call without a token (RFC 6750 §3.1). */
function refused(code: CodeAt<'resource'>, description?: string): WireProblem {
  const challenge = buildChallenge('Bearer', {
    realm: 'userinfo',
    error: code === 'missing_token' ? undefined : code,
    scope: code === 'insufficient_scope' ? OPENID : undefined,
  });
  return wireProblem('resource', code, {
    headers: { 'www-authenticate': challenge },
    ...(description !== undefined && { description }),
  });
}
