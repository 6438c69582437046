/** The pages of the site that are made of what the program prints and of what the package ships. None is in git. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../docs/markdown.js';
import { libraryPages } from './library.js';
import { pageOf, ROOT } from './places.js';

/**
 * @typedef {{ page: string, markdown: string }} SitePage its place from the site's root
 *
 * What the program prints, as far as the site shows it:
 * @typedef {{ role: string, id: string, title: string, safe: boolean, checks: Check[] }} Scenario
 * @typedef {{ id: string, title: string, level: string, requirements: string[], sources: string[] }} Check
 * @typedef {Record<'rule' | 'group' | 'severity' | 'rule_text' | 'why' | 'source', string>} RuleWords
 * @typedef {RuleWords & { link: string | null, before: unknown, after: unknown }} Rule
 * @typedef {{ code: string, at: string | null, meaning: string, advice: string, exit_code: number }} Code
 */

/** @returns {SitePage[]} */
export function sitePages() {
  return [
    ...shown('README.md'),
    ...readdirSync(join(ROOT, 'dist/docs/commands')).flatMap((name) =>
      shown(`dist/docs/commands/${name}`),
    ),
    ...libraryPages(),
    ...checks(),
    lintRules(),
    faults(),
    errors(),
    ...schemas(),
  ];
}

/** A page that stands elsewhere, with its links as they lead from there. @param {string} file @returns {SitePage[]} */
function shown(file) {
  const page = pageOf(file);
  const markdown = `---\nsource: ${file}\n---\n${readFileSync(join(ROOT, file), 'utf8')}`;
  return page === undefined ? [] : [{ page, markdown }];
}

/** A place where no mock of this machine is known: a running one would be asked for its faults. */
const NOBODY = join(ROOT, '.cache/nobody');

/** What a command prints with `--json`. @param {string} line @returns {any} */
function printed(line) {
  const words = [join(ROOT, 'bin/agent-auth.js'), ...line.split(' '), '--json'];
  const env = { ...process.env, AGENT_AUTH_HOME: NOBODY, XDG_RUNTIME_DIR: NOBODY };
  const out = execFileSync(process.execPath, words, { encoding: 'utf8', env, maxBuffer: 64 << 20 });
  return JSON.parse(out);
}

/** @returns {SitePage[]} a page a role, and their index */
function checks() {
  /** @type {Scenario[]} */
  const scenarios = printed('conformance list').scenarios;
  const roles = [...new Set(scenarios.map(({ role }) => role))];
  const of = (/** @type {string} */ role) => scenarios.filter((each) => each.role === role);
  const count = (/** @type {string} */ role) => of(role).flatMap((each) => each.checks).length;
  return [
    {
      page: 'checks/index.md',
      markdown: `# Checks of the suite

What [\`agent-auth conformance\`](/conformance.md) judges; \`agent-auth conformance list\` prints the same.

${table(
  ['of', 'scenarios', 'checks'],
  roles.map((role) => [`[${role}](./${role}.md)`, String(of(role).length), String(count(role))]),
)}
`,
    },
    ...roles.map((role) => ({
      page: `checks/${role}.md`,
      markdown: `# Checks: ${role}

${of(role).length} scenarios with ${count(role)} checks. \`agent-auth conformance ${role} --only ID\` runs one of them.

${of(role)
  .map(
    (scenario) => `## ${scenario.id}

${text(scenario.title)}.${scenario.safe ? ' Runs with `--safe` too.' : ''}

${scenario.checks
  .map(
    ({ id, level, title, sources, requirements }) =>
      `- **${level}** \`${id}\`: ${text(title)} *${text(sources.join('; '))}* (${requirements.join(', ')})`,
  )
  .join('\n')}
`,
  )
  .join('\n')}`,
    })),
  ];
}

/** @returns {SitePage} */
function lintRules() {
  /** @type {Rule[]} */
  const rules = printed('lint --rules').rules;
  const groups = [...new Set(rules.map(({ group }) => group))];
  const sections = groups.flatMap((group) => [
    `## ${group}`,
    ...rules
      .filter((each) => each.group === group)
      .map(
        ({ rule, severity, rule_text, why, source, link, before, after }) => `### ${rule}

${severity === 'error' ? 'An' : 'A'} ${severity}. ${text(rule_text)} ${text(why)} Source: ${link === null ? text(source) : `[${source}](${link})`}.

Before:

${example(before)}

After:

${example(after)}`,
      ),
  ]);
  return {
    page: 'lint-rules.md',
    markdown: `# Rules of lint

What [\`agent-auth lint\`](/commands/lint.md) looks for in what a service publishes for agents; \`agent-auth lint --rules\` prints the same.

${sections.join('\n\n')}
`,
  };
}

/** What is sent, or a document. @param {unknown} value */
function example(value) {
  return typeof value === 'string'
    ? fence('http', value)
    : fence('json', JSON.stringify(value, null, 2));
}

/** @returns {SitePage} */
function faults() {
  /** @type {{ mock: string, faults: Record<'name' | 'group' | 'description', string>[] }[]} */
  const mocks = printed('mock fault --list').mocks;
  const sections = mocks.flatMap(({ mock, faults }) =>
    [...new Set(faults.map(({ group }) => group))].map((group) => {
      const rows = faults
        .filter((each) => each.group === group)
        .map(({ name, description }) => [`\`${name}\``, text(description)]);
      return `## ${mock}: ${group}\n\n${table(['fault', `the mock ${mock}`], rows)}`;
    }),
  );
  return {
    page: 'faults.md',
    markdown: `# Faults of the mocks

What the mocks can do wrong on purpose, by [\`agent-auth mock fault\`](/commands/mock-fault.md) while they run, or from the start with \`--fault NAME\`; \`agent-auth mock fault --list\` prints the same. To write one: [a fault of your own](/own-faults.md).

${sections.join('\n\n')}
`,
  };
}

/** @returns {SitePage} */
function errors() {
  /** @type {{ codes: Code[] }} */
  const { codes } = printed('help errors');
  const names = [...new Set(codes.map(({ code }) => code))].sort();
  const sections = names.map((name) => {
    const of = codes.filter(({ code }) => code === name);
    const paragraphs = of.map(
      ({ at, meaning, advice, exit_code }) =>
        `${at === null ? 'The agent' : `At ${at}`}: ${text(meaning)} **What to do:** ${text(advice)} Exit ${exit_code}.`,
    );
    return `## ${name}\n\n${paragraphs.join('\n\n')}`;
  });
  return {
    page: 'errors.md',
    markdown: `# Error codes

Every code that the agent and the program report, those of services and providers with it: what happened, what to do, and the [exit code](/exit-codes.md). \`agent-auth help errors\` prints the same. With their status, by endpoint: [wire codes](/wire-codes.md).

${sections.join('\n\n')}
`,
  };
}

/** @returns {SitePage[]} a page a schema, and their index */
function schemas() {
  const folder = join(ROOT, 'dist/docs/schemas');
  const all = readdirSync(folder).map((file) => {
    const json = readFileSync(join(folder, file), 'utf8');
    /** @type {{ title: string, description: string }} */
    const { title, description } = JSON.parse(json);
    return { name: file.replace(/\.json$/, ''), title, description, json };
  });
  const rows = all.map(({ name, description }) => [`[${name}](./${name}.md)`, text(description)]);
  return [
    {
      page: 'schemas/index.md',
      markdown: `# Every JSON Schema\n\nHow to use them: [JSON Schemas](/schemas.md).\n\n${table(['schema', 'of'], rows)}\n`,
    },
    ...all.map(({ name, title, description, json }) => ({
      page: `schemas/${name}.md`,
      markdown: `# ${title}\n\n${text(description)}\n\n\`agent-auth/schemas/${name}.json\`:\n\n${fence('json', json.trim())}\n`,
    })),
  ];
}

/** @param {string} language @param {string} body */
function fence(language, body) {
  return `\`\`\`${language}\n${body}\n\`\`\``;
}

/** A sentence of the program as Markdown: nothing in it is markup but what stands in backticks. @param {string} sentence */
function text(sentence) {
  return sentence
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*[\]{}]/g, '\\$&')))
    .join('');
}
