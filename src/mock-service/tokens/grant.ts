import type { Form } from '../../mock/http/request.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
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
