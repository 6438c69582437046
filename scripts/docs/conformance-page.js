import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/** @typedef {import('../../src/conformance/index.ts').Requirement} Requirement */
/** @typedef {import('../../src/conformance/index.ts').Role} Role */
/** @typedef {typeof import('../../src/conformance/index.ts')} Conformance */

/**
 * The tables of the conformance suite: what is asked for, what judges it, and what nobody can see.
 *
 * @param {string} root of the project
 */
export async function conformancePage(root) {
  const source = 'src/conformance/index.ts';
  const { ALL_SCENARIOS, Catalog, LEVELS, PASSIVE_RULES, ROLES, readRequirements, sourceLink } =
    /** @type {Conformance} */ (await importSource(root, source));
  const requirements = readRequirements();
  const catalog = new Catalog(requirements);
  const sections = [
    `## How much is judged\n\n${shares(requirements, ROLES, LEVELS)}`,
    `## Where sources disagree\n\nOne reading is judged; an implementation that follows the other one is warned, not failed.\n\n${clashes(requirements)}`,
    ...ROLES.map(
      (role) =>
        `## Checks of ${role === 'agent' ? 'an' : 'a'} ${role}\n\n${checks(ALL_SCENARIOS[role], catalog)}`,
    ),
    `## What is found in traffic\n\nThe [proxy](proxy.md) judges what others say to each other, by these rules. They send nothing, and say nothing where an exchange could be explained in another way.\n\n${rules(PASSIVE_RULES)}`,
    ...ROLES.map(
      (role) =>
        `## Requirements of ${role === 'agent' ? 'an' : 'a'} ${role}\n\n${rows(
          requirements.filter((each) => each.role === role),
          sourceLink,
        )}`,
    ),
  ];
  return page(
    'What is judged',
    `fixtures/requirements\` and \`${source}`,
    'How to use it is in [conformance.md](conformance.md). A `must` that is broken fails; a `should`, a `profile` (asked for by [the wire contract](wire-contract.md) alone) and a `may` only warn.',
    sections.join('\n\n'),
  );
}

/**
 * @param {readonly Requirement[]} requirements
 * @param {readonly Role[]} roles
 * @param {Conformance['LEVELS']} levels
 */
function shares(requirements, roles, levels) {
  const lines = roles.flatMap((role) =>
    levels.map((level) => {
      const own = requirements.filter((each) => each.role === role && each.level === level);
      const judged = own.filter(({ checks = [] }) => checks.length > 0).length;
      const share = own.length === 0 ? '–' : `${Math.floor((100 * judged) / own.length)} %`;
      const untestable = own.filter((each) => each.untestable !== undefined).length;
      return [role, level, ...[own.length, judged, untestable].map(String), share];
    }),
  );
  return table(
    ['role', 'level', 'requirements', 'judged', 'invisible from outside', 'share judged'],
    lines,
  );
}

/** @param {readonly Requirement[]} requirements */
function clashes(requirements) {
  const found = requirements.flatMap(({ id, clash }) => (clash ? [{ id, clash }] : []));
  const lines = found
    .sort((a, b) => a.clash.id.localeCompare(b.clash.id))
    .map(({ id, clash }) => [clash.id, id, clash.judged, clash.other]);
  return table(['clash', 'requirement', 'judged', 'only warned'], lines);
}

/**
 * @param {Conformance['ALL_SCENARIOS'][Role]} scenarios
 * @param {InstanceType<Conformance['Catalog']>} catalog
 */
function checks(scenarios, catalog) {
  const parts = scenarios.map(({ id, title, checks: own, safe }) => {
    const lines = Object.entries(own).map(([name, sentence]) => {
      const check = `${id}.${name}`;
      const basis = catalog.basis(check);
      return [`\`${check}\``, basis?.level ?? '', sentence, basis?.requirements.join(', ') ?? ''];
    });
    const remark = safe ? ' Part of `--safe`.' : '';
    return `### \`${id}\`\n\n${title}.${remark}\n\n${table(['check', 'level', 'holds when it passes', 'requirements'], lines)}`;
  });
  return parts.join('\n\n');
}

/** @param {Conformance['PASSIVE_RULES']} own */
function rules(own) {
  const lines = own.flatMap(({ id, finds, requirements, spares }) =>
    ['agent', 'service', 'provider'].flatMap((role) => {
      const judged = requirements.filter(({ by }) => by === role);
      const links = judged.map((each) => `[${each.id}](#${each.id.toLowerCase()}) ${each.level}`);
      return judged.length === 0 ? [] : [[`\`${id}\``, role, finds, links.join(', '), spares]];
    }),
  );
  return table(['rule', 'who', 'what it finds', 'requirements', 'what it passes over'], lines);
}

/**
 * @param {readonly Requirement[]} requirements
 * @param {Conformance['sourceLink']} sourceLink
 */
function rows(requirements, sourceLink) {
  const link = (/** @type {string} */ source) => {
    const { text, href } = sourceLink(source, '');
    return href === undefined ? text : `[${text}](${href.replace(/^docs\//, '')})`;
  };
  return table(
    ['id', 'level', 'asks for', 'read', 'judged by'],
    requirements.map(
      ({ id, level, description, sources, checks: own = [], rules: seen = [], untestable }) => [
        `<a id="${id.toLowerCase()}"></a>${id}`,
        level,
        description,
        sources.map(link).join('; '),
        untestable === undefined
          ? [
              ...own.map((check) => `\`${check}\``),
              ...seen.map((rule) => `\`${rule}\` (in traffic)`),
            ].join(' ')
          : `*${untestable}*`,
      ],
    ),
  );
}
