import { ALL_SCENARIOS } from '../../conformance/all-scenarios.ts';
import { Catalog } from '../../conformance/engine/catalog.ts';
import { LEVELS, type Level, ROLES, type Role } from '../../conformance/engine/model.ts';
import { readRequirements } from '../../conformance/engine/read-requirements.ts';
import { PASSIVE_RULES } from '../../conformance/passive/traffic-judge.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Style } from '../terminal/style.ts';

interface ConformanceListOptions {
  readonly role?: Role;
  readonly level?: Level;
}

/** Every scenario with its checks, their levels and the requirements that they judge. */
export async function conformanceList(
  { output }: Context,
  wanted: ConformanceListOptions,
): Promise<Outcome> {
  const catalog = new Catalog(readRequirements());
  const scenarios = listedScenarios(wanted, catalog);
  const rules = listedRules(wanted, catalog);
  const clashes = listedClashes(wanted, catalog);
  return output.result({
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
  });
}

function listedScenarios(wanted: ConformanceListOptions, catalog: Catalog) {
  const listed = ROLES.flatMap((role) =>
    ALL_SCENARIOS[role].map(({ checks, id: scenario, safe, title: ofScenario }) => ({
      role,
      id: scenario,
      title: ofScenario,
      safe,
      checks: Object.entries(checks)
        .map(([name, title]) => {
          const id = `${scenario}.${name}`;
          const { level, requirements, section, sources } = catalog.basis(id);
          return { id, title, level, section, requirements, sources };
        })
        .filter(({ level }) => isWanted(wanted, role, level)),
    })),
  );
  return listed.filter(({ checks }) => checks.length > 0);
}

/** A rule for each role that it judges: no run of the suite applies it, the proxy does. */
function listedRules(wanted: ConformanceListOptions, { requirements }: Catalog) {
  return PASSIVE_RULES.flatMap((rule) =>
    ROLES.flatMap((role) => {
      const own = new Set(rule.requirements.filter(({ by }) => by === role).map(({ id }) => id));
      const rows = requirements.filter(({ id }) => own.has(id));
      const level = LEVELS.find((each) => rows.some((row) => row.level === each));
      if (level === undefined || !isWanted(wanted, role, level)) return [];
      const sources = [...new Set(rows.flatMap((row) => row.sources))];
      const { id, finds: title } = rule;
      return [{ id, role, title, level, requirements: rows.map((row) => row.id), sources }];
    }),
  );
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

type ListedScenario = ReturnType<typeof listedScenarios>[number];
type ListedRule = ReturnType<typeof listedRules>[number];
type ListedClash = ReturnType<typeof listedClashes>[number];

function rulesText(style: Style, rules: readonly ListedRule[]): string {
  return [
    `${style.bold('proxy')}  what it finds in the traffic of others, by ${rules.length} rules`,
    '',
    ...rules.map(({ id, role, title, ...rule }) =>
      checkText(style, rule, `${style.cyan(id)}  ${role}: ${title}`),
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
    ...checks.map((check) => checkText(style, check, `${check.id}  ${check.title}`)),
  ].join('\n');
}

function checkText(
  style: Style,
  { level, requirements }: { readonly level: Level; readonly requirements: readonly string[] },
  text: string,
): string {
  const ids = requirements.length === 0 ? '' : style.dim(` [${requirements.join(', ')}]`);
  return `  ${level.padEnd(WIDEST_LEVEL)}  ${text}${ids}`;
}
