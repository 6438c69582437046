import type { CheckResult, ScenarioResult } from '../../engine/model.ts';
import { leftOut, type Scenario } from '../../engine/scenario.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { FoundDialect } from './find-dialect.ts';
import { ReadBack } from './read-back.ts';
import { READ_BACK_SCENARIOS } from './read-back-scenarios.ts';
import { SPELLINGS } from './spelling.ts';

/** Scenarios of discovery and transport, and of what ends the service: they ask for the same in every family. */
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
  'stays-up',
]);

/** Their checks that ask for what the `flat` family alone publishes. */
const OF_FLAT: ReadonlySet<string> = new Set([
  'server-metadata.bearer-grant',
  'server-metadata.claim-grant',
  'server-metadata.token-endpoint',
  'server-metadata.revocation-endpoint',
  'server-metadata.public-clients',
]);

/** Why a check is left out. */
function reasonFor({ family, shownBy }: FoundDialect): string {
  return `The service speaks ${family} (${shownBy}); in that dialect its claims, discovery and transport alone are judged.`;
}

/** The scenarios as far as they apply to what the service speaks: all of them to `flat`. */
export function scenariosIn(
  found: FoundDialect,
  scenarios: readonly Scenario<ServiceWorld>[],
): readonly Scenario<ServiceWorld>[] {
  const { family } = found;
  if (family === 'flat') return scenarios;
  return scenarios.map((scenario) => {
    if (IN_EVERY_DIALECT.has(scenario.id)) return scenario;
    const own = READ_BACK_SCENARIOS[scenario.id];
    if (own === undefined) return leftOut(scenario, reasonFor(found));
    const others = Object.keys(scenario.checks).filter((name) => !(name in own.checks));
    return {
      ...scenario,
      checks: { ...scenario.checks, ...own.checks },
      run: async (judge, world) => {
        judge.skip(others, reasonFor(found));
        await own.run(judge, new ReadBack(world, SPELLINGS[family], found));
      },
    };
  });
}

/** A result without the checks that do not apply to what the service speaks, or may speak. */
export function resultIn(found: FoundDialect, result: ScenarioResult): ScenarioResult {
  const { family, perhaps } = found;
  if (family !== 'flat') return without(result, OF_FLAT, { reason: reasonFor(found) });
  if (perhaps === undefined) return result;
  const reason = `Its documents fit ${perhaps}, which has no claim grant, as well as flat; only a registration shows which, and --safe sends none.`;
  return without(result, CLAIM_GRANT, { reason, deselected: true });
}

/** What tells `flat` from `nested` in the documents, and is missing where they leave that open. */
const CLAIM_GRANT: ReadonlySet<string> = new Set(['server-metadata.claim-grant']);

function without(
  result: ScenarioResult,
  ids: ReadonlySet<string>,
  why: Pick<CheckResult, 'reason' | 'deselected'>,
): ScenarioResult {
  const checks = result.checks.map(
    (check): CheckResult =>
      ids.has(check.id)
        ? { ...check, status: 'skip', findings: [], moreFindings: 0, ...why }
        : check,
  );
  return { ...result, checks };
}
