import { sha256 } from '../../runtime/hash.ts';
import type { Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import type { DirectCredential, ServiceDialect } from '../dialects/dialect.ts';
import type { RegistrationStore } from '../store/registration-store.ts';

interface DirectParts {
  readonly config: { readonly issuer: string };
  readonly dialect: Pick<ServiceDialect, 'direct'>;
  readonly random: Random;
  readonly registrations: RegistrationStore;
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
