import { NotApplicable } from '../../engine/judge.ts';
import type { CheckResult, ScenarioResult } from '../../engine/model.ts';
import type { Scenario } from '../../engine/scenario.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { Spoken } from './spoken.ts';

/** Scenarios of discovery and transport: what they ask for is the same in every family. */
const IN_EVERY_DIALECT: ReadonlySet<string> = new Set([
  'challenge',
  'resource-metadata',
  'server-metadata',
  'service-keys',
  'skill-file',
  'hostile-headers',
  'methods',
  'cors',
  'smuggling',
  'trickle',
  'header-injection',
]);

/** Their checks that ask for what the `flat` family alone publishes. */
const OF_FLAT: ReadonlySet<string> = new Set([
  'server-metadata.bearer-grant',
  'server-metadata.claim-grant',
  'server-metadata.token-endpoint',
  'server-metadata.revocation-endpoint',
  'server-metadata.jwks-uri',
  'server-metadata.public-clients',
  'server-metadata.none-alone',
  'server-metadata.no-response-types',
  'skill-file.addresses',
]);

/** Why a check is left out. */
function leftOut({ family, shownBy }: Spoken): string {
  return `The service speaks ${family} (${shownBy}); in that dialect discovery and transport alone are judged.`;
}

/** The scenarios as far as they apply to what the service speaks: all of them to `flat`. */
export function scenariosIn(
  spoken: Spoken,
  scenarios: readonly Scenario<ServiceWorld>[],
): readonly Scenario<ServiceWorld>[] {
  if (spoken.family === 'flat') return scenarios;
  return scenarios.map((scenario) =>
    IN_EVERY_DIALECT.has(scenario.id)
      ? scenario
      : {
          ...scenario,
          run: async () => {
            throw new NotApplicable(leftOut(spoken));
          },
        },
  );
}

/** A result without the checks that do not apply to what the service speaks. */
export function resultIn(spoken: Spoken, result: ScenarioResult): ScenarioResult {
  if (spoken.family === 'flat') return result;
  const checks = result.checks.map(
    (check): CheckResult =>
      OF_FLAT.has(check.id)
        ? { ...check, status: 'skip', findings: [], moreFindings: 0, reason: leftOut(spoken) }
        : check,
  );
  return { ...result, checks };
}
