import type { Context } from 'hono';
import { empty, readForm, wireProblem } from '../mock/index.ts';
import { refuseClientAuthentication } from './grants/client-authentication.ts';
import { isIdentityAssertion } from './identity-assertion.ts';
import type { ServiceContext } from './service-context.ts';
import { tokenHash } from './store/index.ts';

/** `POST /oauth2/revoke` (RFC 7009): known, unknown and expired tokens get the same answer. */
export async function revoke({ faults, tokens }: ServiceContext, c: Context): Promise<Response> {
  const form = await readForm(c, 'revocation');
  refuseClientAuthentication(c, form, 'revocation', faults);
  const token = form.get('token');
  if (token === undefined) {
    if (faults.has('tokenlessRevocationTaken')) return empty(200);
    throw wireProblem('revocation', 'invalid_request', { description: 'token is missing.' });
  }
  if (isIdentityAssertion(token) && !faults.has('assertionRevocationTaken')) {
    throw wireProblem('revocation', 'unsupported_token_type');
  }
  const hash = tokenHash(token, faults);
  if (faults.has('unknownRevocationRefused') && (await tokens.find(hash)) === undefined) {
    throw wireProblem('revocation', 'invalid_request');
  }
  const hint = form.get('token_type_hint') ?? 'access_token';
  const isSought = hint === 'access_token' || !faults.has('hintBelieved');
  if (faults.has('revocationEndsAssertion')) await tokens.supersede(hash);
  if (faults.has('revocationSpreads')) await tokens.revokeAll(hash);
  else if (isSought && !faults.has('revocationIgnored')) await tokens.revoke(hash);
  return empty(200);
}
