import { LEVELS, type Level, ROLES, type Role } from '../../conformance/engine/model.ts';
import type { Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

export interface ListedScenario {
  readonly role: Role;
  readonly id: string;
  readonly title: string;
  readonly safe: boolean;
  readonly checks: readonly ListedCheck[];
}

export interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
}

export function presentConformanceList(scenarios: readonly ListedScenario[]): Rendering {
  return {
    schema: 'conformanceList',
    json: () => ({ scenarios }),
    human: (style) =>
      ROLES.flatMap((role) => {
        const own = scenarios.filter((scenario) => scenario.role === role);
        return own.length === 0 ? [] : [roleText(style, role, own)];
      }).join('\n\n') || 'No check.',
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
