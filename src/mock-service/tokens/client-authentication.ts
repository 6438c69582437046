import type { Context, Form } from '../../mock/http/request.ts';
import { wireProblem } from '../../mock/http/response.ts';

export type AuthenticatesClient = (request: Request, form: Form) => boolean;

/** Whether a request carries client credentials; `client_id` alone is none (RFC 6749 §2.3). */
export function authenticatesClient({ headers }: Request, form: Form): boolean {
  return (
    headers.has('authorization') ||
    form.get('client_secret') !== undefined ||
    form.get('client_assertion') !== undefined
  );
}

/** Clients are public here: credentials are a mistake, or meant for another server. */
export function refuseClientAuthentication(
  { decisions }: { readonly decisions: { readonly authenticatesClient: AuthenticatesClient } },
  c: Context,
  form: Form,
  surface: 'token' | 'revocation',
): void {
  if (decisions.authenticatesClient(c.req.raw, form)) throw wireProblem(surface, 'invalid_client');
}
