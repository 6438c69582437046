import { type Context, readForm } from '../../mock/http/request.ts';
import { invalidRequest, json } from '../../mock/http/response.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import { changedAnswer } from '../config/answer-rule.ts';
import { requireClient } from './redeem.ts';
import type { RedemptionParts } from './redemption-parts.ts';

/** `POST /oauth2/introspect` (RFC 7662): what a token is good for, told to a client that authenticates. */
export async function introspect(service: RedemptionParts, c: Context): Promise<Response> {
  const { clientTokens, config, reader } = service;
  const form = await readForm(reader, c, 'token');
  await requireClient(service, c.req.raw, form);
  const text = form.get('token');
  if (text === undefined) throw invalidRequest('token', 'token is missing.');
  const token = await clientTokens.find(sha256(text));
  if (token === undefined) return json({ active: false });
  const answer = {
    active: true,
    ...(token.scopes.length > 0 && { scope: token.scopes.join(' ') }),
    client_id: token.clientId,
    token_type: 'Bearer',
    exp: Math.floor(token.expiresAt / SECOND),
    iat: Math.floor(token.issuedAt / SECOND),
    sub: token.userId,
    aud: token.resource,
    iss: config.issuer,
    ...(token.email !== undefined && { email: token.email }),
  };
  return json(changedAnswer(answer, config.claims, 'introspection', token));
}
