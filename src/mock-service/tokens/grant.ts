import type { BodyReader, Form } from '../../mock/http/body-reader.ts';
import { json } from '../../mock/http/replies.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { Secrets } from '../claim-attempt/attempt-secrets.ts';
import type { Outcome } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { DirectCredential, ServiceDialect } from '../dialects/dialect.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import type { TargetReader } from '../token-request/target.ts';
import type { AuthenticatesClient } from './client-authentication.ts';
import type { IdentityAssertions } from './identity-assertion.ts';

/** What the token endpoint works with. */
export interface TokenParts {
  readonly secrets: Secrets;
  readonly assertions: IdentityAssertions;
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: { readonly authenticatesClient: AuthenticatesClient };
  /** The grants of the token endpoint. */
  readonly grants: (config: ServiceConfig) => Grants;
  readonly random: Random;
  readonly reader: BodyReader;
  readonly registrations: RegistrationStore;
  /** How the target of a token request is read. */
  readonly target: TargetReader;
}

/** A grant of the token endpoint (RFC 6749 §4). */
export type Grant = (service: TokenParts, form: Form) => Promise<Response>;

/** By `grant_type`. */
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

interface DirectParts extends Pick<TokenParts, 'config' | 'registrations'> {
  readonly dialect: Pick<ServiceDialect, 'direct'>;
  readonly random: Random;
}

/**
 * What a registration calls with at once, where its dialect has such a credential: decided as an exchange is.
 * @param assertionJti the assertion that it stands beside, so that what ends that ends it, too.
 */
export async function issueDirect(
  { config, dialect, random, registrations }: DirectParts,
  { id }: RegistrationFacts,
  assertionJti: string,
): Promise<DirectCredential | undefined> {
  const { direct } = dialect;
  if (direct === undefined) return undefined;
  const value = randomToken(random, direct.prefix);
  const decided = await registrations.decide(
    'exchange',
    { by: 'id', value: id },
    'agent',
    (facts) => ({
      tokenHash: sha256(value),
      isEndless: direct.isEndless,
      assertionJti,
      version: facts.version,
      active: true,
      target: { scopes: undefined, resource: undefined, base: config.issuer },
    }),
  );
  if (decided?.outcome.kind !== 'token') return undefined;
  const { expiresAt, scopes } = decided.outcome;
  return { value, scopes, expiresAt: direct.isEndless ? undefined : expiresAt };
}
