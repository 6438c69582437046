import type { Context } from 'hono';
import { empty, readForm, wireProblem } from '../mock/index.ts';
import { sha256 } from '../runtime/index.ts';
import { refuseClientAuthentication } from './grants/client-authentication.ts';
import { isIdentityAssertion } from './identity-assertion.ts';
import type { ServiceContext } from './service-context.ts';

/** `POST /oauth2/revoke` (RFC 7009): known, unknown and expired tokens get the same answer. */
export async function revoke({ faults, tokens }: ServiceContext, c: Context): Promise<Response> {
  const form = await readForm(c, 'revocation');
  refuseClientAuthentication(c, form, 'revocation');
  const token = form.get('token');
  if (token === undefined) {
    throw wireProblem('revocation', 'invalid_request', { description: 'token is missing.' });
  }
  if (isIdentityAssertion(token)) throw wireProblem('revocation', 'unsupported_token_type');
  if (!faults.has('revocationIgnored')) await tokens.revoke(sha256(token));
  return empty(200);
}
