import { json } from '../../mock/index.ts';
import { SECOND } from '../../protocol/index.ts';
import type { Outcome } from '../claim-machine/index.ts';
import type { TokenParts } from './grant.ts';

/** RFC 6749 §5.1, never with a refresh token. */
export function tokenResponse(
  { clock }: Pick<TokenParts, 'clock'>,
  accessToken: string,
  granted: Extract<Outcome, { kind: 'token' }>,
  more: Readonly<Record<string, string>> = {},
): Response {
  return json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil((granted.expiresAt - clock.now()) / SECOND),
    scope: granted.scopes.join(' '),
    ...more,
  });
}
