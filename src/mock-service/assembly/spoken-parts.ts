import type { Envelope } from '../../mock/http/route.ts';
import type { KeyRing } from '../../mock/keys/key-ring.ts';
import { forBrowsers } from '../../mock/pages/for-browsers.ts';
import type { Site } from '../../mock/pages/site.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { claimSecrets } from '../claim-attempt/attempt-secrets.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { DECISIONS } from '../decisions.ts';
import { speaking } from '../dialects/index.ts';
import { directoryEnvelope } from '../directory/answer.ts';
import { isDirectoryPath } from '../directory/path.ts';
import { type MockServiceOptions, resolveOptions } from '../options.ts';
import { IdentityAssertions, writtenAs } from '../tokens/identity-assertion.ts';
import { grantsOf } from '../tokens/token-endpoint.ts';

interface Shared {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeyRing;
  readonly site: Site;
  readonly userCodeKey: string;
}

/** What of a service depends on what it speaks. */
export type SpokenParts = Pick<
  ServiceContext,
  'assertions' | 'config' | 'decisions' | 'dialect' | 'grants' | 'secrets'
> & {
  /** Renders problems that belong to no route. */
  readonly fallback: Envelope;
};

/** @throws TypeError for options that do not fit what is spoken. */
export function spokenParts(
  options: MockServiceOptions,
  { clock, keys, random, site, userCodeKey }: Shared,
): SpokenParts {
  const config = resolveOptions(options);
  const dialect = speaking(options);
  const inDirectory = directoryEnvelope(clock);
  const elsewhere = forBrowsers(site, dialect.problems.registration);
  return {
    config,
    decisions: { ...DECISIONS, afterClaim: dialect.afterClaim ?? DECISIONS.afterClaim },
    dialect,
    fallback: (problem, request) =>
      (isDirectoryPath(new URL(request.url).pathname) ? inDirectory : elsewhere)(problem, request),
    assertions: writtenAs(
      new IdentityAssertions(config.issuer, keys, clock),
      dialect.assertionForm,
    ),
    grants: grantsOf(dialect),
    secrets: claimSecrets(random, userCodeKey, config.codeFormat, dialect),
  };
}
