import { type Context, readForm } from '../../mock/http/request.ts';
import { empty, invalidRequest, wireProblem } from '../../mock/http/response.ts';
import { sha256 } from '../../runtime/hash.ts';
import { requireClient } from '../redemption/redeem.ts';
import type { RedemptionParts } from '../redemption/redemption-parts.ts';
import type { TokenStore } from '../store/token-store.ts';
import { refuseClientAuthentication } from './client-authentication.ts';
import type { TokenParts } from './grant.ts';
import { isIdentityAssertion } from './identity-assertion.ts';

/** What tokens are revoked with. */
interface RevocationParts
  extends Pick<TokenParts, 'decisions' | 'reader'>,
    Pick<RedemptionParts, 'clientDocuments' | 'clientTokens' | 'clock' | 'config' | 'log'> {
  readonly tokens: TokenStore;
}

/**
 * `POST /oauth2/revoke` (RFC 7009): known, unknown and expired tokens get the same answer. The hint is
 * not needed: there is one kind of token.
 */
export async function revoke(service: RevocationParts, c: Context): Promise<Response> {
  const { reader, tokens } = service;
  const form = await readForm(reader, c, 'revocation');
  const { clientTokens, config } = service;
  const token = form.get('token');
  if (token === undefined) throw invalidRequest('revocation', 'token is missing.');
  if (isIdentityAssertion(token)) throw wireProblem('revocation', 'unsupported_token_type');
  const hash = sha256(token);
  const isOfClient =
    config.redeemsIdJags &&
    ((await clientTokens.find(hash)) !== undefined ||
      // A client that is known may ask for one that has ended; nobody else has credentials here.
      (config.clients.length > 0 &&
        service.decisions.authenticatesClient(c.req.raw, form) &&
        (await tokens.find(hash)) === undefined));
  if (isOfClient) {
    const client = await requireClient(service, c.req.raw, form);
    await clientTokens.revoke(hash, client.id);
    return empty(200);
  }
  refuseClientAuthentication(service, c, form, 'revocation');
  await tokens.revoke(hash);
  return empty(200);
}
