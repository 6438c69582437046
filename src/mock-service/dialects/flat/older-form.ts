import { ID_JAG_TOKEN_TYPE } from '../../../protocol/constants.ts';
import type { IdentityRequest } from '../../../protocol/schemas/requests.ts';

/**
 * Clients of older revisions sent an email as `assertion` with the type `verified_email`: read as a
 * hint (wire contract §3). Undefined for any other `assertion_type` than that and an ID-JAG's.
 */
export function readOlderForm(request: IdentityRequest): IdentityRequest | undefined {
  const { type, assertion_type: kind, assertion, login_hint } = request;
  if (type !== 'identity_assertion' || kind === undefined || kind === ID_JAG_TOKEN_TYPE) {
    return request;
  }
  if (kind !== 'verified_email') return undefined;
  const hint = assertion ?? login_hint;
  return { type: 'service_auth', ...(hint !== undefined && { login_hint: hint }) };
}
