import { json } from '../../mock/index.ts';
import { SECOND } from '../../protocol/index.ts';
import type { Outcome } from '../claim-machine/index.ts';
import type { ServiceContext } from '../service-context.ts';

const CACHEABLE = { 'cache-control': 'max-age=60', pragma: 'cache' };

/** RFC 6749 §5.1, never with a refresh token. */
export function tokenResponse(
  { clock, faults }: ServiceContext,
  accessToken: string,
  granted: Extract<Outcome, { kind: 'token' }>,
  more: Readonly<Record<string, string>> = {},
): Response {
  const body = {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil((granted.expiresAt - clock.now()) / SECOND),
    scope: faults.has('unknownScopesPassedOver') ? undefined : granted.scopes.join(' '),
    ...more,
  };
  return json(body, faults.has('cacheableTokens') ? { headers: CACHEABLE } : {});
}
