import { ALL_SCENARIOS } from '../../conformance/all-scenarios.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import {
  LEVELS,
  type Level,
  ROLES,
  type Role,
  type Section,
} from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { selects } from '../../conformance/engine/selection.ts';
import { PASSIVE_RULES } from '../../conformance/passive/passive-rules.ts';
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
  wanted: ConformanceListOptions,
): Promise<Outcome> {
  const { role, level } = wanted;
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
  const scenarios = listed.filter(({ checks }) => checks.length > 0);
  const rules = listedRules(wanted, catalog);
  output.result(presentConformanceList(scenarios, rules, listedClashes(wanted, catalog)));
  return 'done';
}

/** A rule for each role that it judges: no run of the suite applies it, the proxy does. */
function listedRules(
  wanted: ConformanceListOptions,
  { requirements }: Catalog,
): readonly ListedRule[] {
  const judged = PASSIVE_RULES.flatMap((rule) =>
    ROLES.map((each) => {
      const own = new Set(rule.requirements.filter(({ by }) => by === each).map(({ id }) => id));
      const rows = requirements.filter(({ id }) => own.has(id));
      return { id: rule.id, role: each, title: rule.finds, rows };
    }),
  );
  return judged.flatMap(({ rows, ...rule }) => {
    const strongest = LEVELS.find((each) => rows.some((row) => row.level === each));
    if (strongest === undefined || !isWanted(wanted, rule.role, strongest)) return [];
    const sources = [...new Set(rows.flatMap((row) => row.sources))];
    return [{ ...rule, level: strongest, requirements: rows.map(({ id }) => id), sources }];
  });
}

/** Where two sources disagree: what is judged, and the other reading. */
function listedClashes(wanted: ConformanceListOptions, { requirements }: Catalog) {
  return requirements.flatMap(({ clash, id, sources, ...row }) => {
    if (clash === undefined || !isWanted(wanted, row.role, row.level)) return [];
    return [{ requirement: id, role: row.role, judged: clash.judged, other: clash.other, sources }];
  });
}

function isWanted({ role, level }: ConformanceListOptions, ofRole: Role, ofLevel: Level): boolean {
  if (role !== undefined && role !== ofRole) return false;
  return level === undefined || LEVELS.indexOf(ofLevel) <= LEVELS.indexOf(level);
}

type ListedClash = ReturnType<typeof listedClashes>[number];

interface ListedRule extends ListedCheck {
  readonly role: Role;
}

interface ListedScenario {
  readonly role: Role;
  readonly id: string;
  readonly title: string;
  readonly safe: boolean;
  readonly checks: readonly (ListedCheck & { readonly section: Section })[];
}

interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
}

function presentConformanceList(
  scenarios: readonly ListedScenario[],
  rules: readonly ListedRule[],
  clashes: readonly ListedClash[],
): Rendering {
  return {
    schema: 'conformanceList',
    wraps: true,
    json: () => ({ scenarios, rules, clashes }),
    human: (style) =>
      [
        ...ROLES.flatMap((role) => {
          const own = scenarios.filter((scenario) => scenario.role === role);
          return own.length === 0 ? [] : [roleText(style, role, own)];
        }),
        ...(rules.length === 0 ? [] : [rulesText(style, rules)]),
        ...(clashes.length === 0 ? [] : [clashesText(style, clashes)]),
      ].join('\n\n') || 'No checks.',
  };
}

function rulesText(style: Style, rules: readonly ListedRule[]): string {
  return [
    `${style.bold('proxy')}  what it finds in the traffic of others, by ${rules.length} rules`,
    '',
    ...rules.map(({ id, level, requirements, role, title }) =>
      [
        `  ${level.padEnd(WIDEST_LEVEL)}  ${style.cyan(id)}  ${role}: ${title}`,
        requirementsText(style, requirements),
      ].join(' '),
    ),
  ].join('\n');
}

function clashesText(style: Style, clashes: readonly ListedClash[]): string {
  return [
    `${style.bold('where sources disagree')}  one reading is judged, the other one is tolerated`,
    '',
    ...clashes.map(
      ({ judged, other, requirement }) =>
        `  ${style.cyan(requirement)}  Judged: ${judged}; ${other}.`,
    ),
  ].join('\n');
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
