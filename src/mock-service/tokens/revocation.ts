import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { readForm } from '../../mock/http/reading.ts';
import { empty } from '../../mock/http/replies.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { TokenStore } from '../store/token-store.ts';
import { refuseClientAuthentication } from './client-authentication.ts';
import type { TokenParts } from './grant.ts';
import { isIdentityAssertion } from './identity-assertion.ts';

/** What tokens are revoked with. */
interface RevocationParts extends Pick<TokenParts, 'decisions' | 'reader'> {
  readonly tokens: TokenStore;
}

/**
 * `POST /oauth2/revoke` (RFC 7009): known, unknown and expired tokens get the same answer. The hint is
 * not needed: there is one kind of token.
 */
export async function revoke(service: RevocationParts, c: Context): Promise<Response> {
  const { reader, tokens } = service;
  const form = await readForm(reader, c, 'revocation');
  refuseClientAuthentication(service, c, form, 'revocation');
  const token = form.get('token');
  if (token === undefined) {
    throw wireProblem('revocation', 'invalid_request', { description: 'token is missing.' });
  }
  if (isIdentityAssertion(token)) throw wireProblem('revocation', 'unsupported_token_type');
  await tokens.revoke(sha256(token));
  return empty(200);
}
