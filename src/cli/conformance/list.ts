import { ALL_SCENARIOS } from '../../conformance/all-scenarios.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { LEVELS, type Level, ROLES, type Role } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { selects } from '../../conformance/engine/selection.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

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
          section: basis?.section ?? 'standards',
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

interface ListedScenario {
  readonly role: Role;
  readonly id: string;
  readonly title: string;
  readonly safe: boolean;
  readonly checks: readonly ListedCheck[];
}

interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
}

function presentConformanceList(scenarios: readonly ListedScenario[]): Rendering {
  return {
    schema: 'conformanceList',
    json: () => ({ scenarios }),
    human: (style) =>
      ROLES.flatMap((role) => {
        const own = scenarios.filter((scenario) => scenario.role === role);
        return own.length === 0 ? [] : [roleText(style, role, own)];
      }).join('\n\n') || 'No checks.',
  };
}

function roleText(style: Style, role: Role, scenarios: readonly ListedScenario[]): string {
  const checks = scenarios.flatMap((scenario) => scenario.checks);
  const counts = LEVELS.flatMap((level) => {
    const count = checks.filter((check) => check.level === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  });
  return [
    `${style.bold(`conformance ${role}`)}  ${scenarios.length} scenarios, ${checks.length} checks: ${counts.join(', ')}`,
    ...scenarios.map((scenario) => scenarioText(style, scenario)),
  ].join('\n\n');
}

const WIDEST_LEVEL = Math.max(...LEVELS.map((level) => level.length));

function scenarioText(style: Style, { id, title, safe, checks }: ListedScenario): string {
  return [
    `${style.cyan(id)}  ${title}${safe ? style.dim('  (--safe)') : ''}`,
    ...checks.map(({ level, id: check, title: holds, requirements }) =>
      [`  ${level.padEnd(WIDEST_LEVEL)}  ${check}  ${holds}`, requirementsText(style, requirements)]
        .filter((text) => text !== '')
        .join(' '),
    ),
  ].join('\n');
}

function requirementsText(style: Style, ids: readonly string[]): string {
  return ids.length === 0 ? '' : style.dim(`[${ids.join(', ')}]`);
}
