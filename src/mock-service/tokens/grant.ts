import type { Form } from '../../mock/http/request.ts';
import { json } from '../../mock/http/response.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import type { Outcome } from '../claim-machine/events.ts';
import type { Secrets } from '../claim-secrets/attempt-secrets.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import type { ServiceReader } from '../token-request/service-reader.ts';
import type { AuthenticatesClient } from './client-authentication.ts';
import type { IdentityAssertions } from './identity-assertion.ts';

/** What the token endpoint works with. */
export interface TokenParts {
  readonly secrets: Secrets;
  readonly assertions: IdentityAssertions;
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: {
    readonly authenticatesClient: AuthenticatesClient;
    readonly grants: (config: ServiceConfig) => Grants;
  };
  readonly random: Random;
  readonly reader: ServiceReader;
  readonly registrations: RegistrationStore;
}

/** A grant of the token endpoint (RFC 6749 §4). */
export type Grant = (service: TokenParts, form: Form) => Promise<Response>;

/** The grants by `grant_type`. */
export type Grants = ReadonlyMap<string, Grant>;

/** What a grant answers with a token (RFC 6749 §5.1), never with a refresh token. */
export function tokenResponse(
  { clock }: Pick<TokenParts, 'clock'>,
  accessToken: string,
  granted: Extract<Outcome, { kind: 'token' }>,
  more: JsonObject = {},
): Response {
  return json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil((granted.expiresAt - clock.now()) / SECOND),
    // RFC 6749 §3.3 has no empty scope.
    ...(granted.scopes.length > 0 && { scope: granted.scopes.join(' ') }),
    ...more,
  });
}
