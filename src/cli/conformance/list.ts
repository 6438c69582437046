import { ALL_SCENARIOS } from '../../conformance/all-scenarios.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { type Level, ROLES, type Role } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { selects } from '../../conformance/engine/selection.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { type ListedScenario, presentConformanceList } from './present-list.ts';

export interface ConformanceListOptions {
  readonly role?: Role;
  readonly level?: Level;
}

/** Every scenario with its checks, their levels and the requirements that they judge. */
export async function conformanceList(
  { output }: Context,
  { role, level }: ConformanceListOptions,
): Promise<Outcome> {
  const catalog = new Catalog(readRequirements());
  const listed = ROLES.filter((each) => role === undefined || each === role).flatMap((each) =>
    ALL_SCENARIOS[each].map((scenario): ListedScenario => {
      const checks = Object.entries(scenario.checks).map(([name, title]) => {
        const id = `${scenario.id}.${name}`;
        const basis = catalog.basis(id);
        return {
          id,
          title,
          level: basis?.level ?? 'must',
          requirements: basis?.requirements ?? [],
          sources: basis?.sources ?? [],
        };
      });
      return {
        role: each,
        id: scenario.id,
        title: scenario.title,
        safe: scenario.safe,
        checks: checks.filter((check) =>
          selects(level === undefined ? {} : { level }, { ...check, scenario: scenario.id }),
        ),
      };
    }),
  );
  output.result(presentConformanceList(listed.filter(({ checks }) => checks.length > 0)));
  return 'done';
}
