import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/** @typedef {import('../../src/cli/lint/rules/rule.ts').Rule} Rule */
/** @typedef {import('../../src/cli/lint/rules/rule.ts').Example} Example */
/** @typedef {typeof import('../../src/conformance/engine/source-link.ts').sourceLink} SourceLink */

/**
 * The rules of `agent-auth lint`, each with an example before and after.
 *
 * @param {string} root of the project
 */
export async function lintPage(root) {
  const source = 'src/cli/lint/rules/rule-table.ts';
  const { RULE_GROUPS } = /** @type {typeof import('../../src/cli/lint/rules/rule-table.ts')} */ (
    await importSource(root, source)
  );
  const { sourceLink } =
    /** @type {typeof import('../../src/conformance/engine/source-link.ts')} */ (
      await importSource(root, 'src/conformance/engine/source-link.ts')
    );
  /** @type {[string, [string, Rule][]][]} */
  const groups = Object.entries(RULE_GROUPS).map(([title, rules]) => [
    title,
    Object.entries(rules),
  ]);
  const overview = groups.map(
    ([title, rules]) =>
      `**${title}**\n\n${table(
        ['rule', 'severity', 'holds'],
        rules.map(([id, rule]) => [`[${id}](#${id})`, severityText(rule), rule.holds]),
      )}`,
  );
  const sections = groups.map(
    ([title, rules]) =>
      `## ${title}\n\n${rules.map(([id, rule]) => section(id, rule, sourceLink)).join('\n\n')}`,
  );
  return page(
    'What `lint` checks',
    source,
    'What `agent-auth lint URL|FOLDER` looks for in the discovery documents that somebody publishes for agents. It exits 0 where there are at most warnings, 1 where there is an error, 2 for no such folder and no URL, 7 when nothing answers.',
    [
      'A folder is read as a static site: `.well-known/oauth-authorization-server`, `.well-known/oauth-protected-resource` (with a path behind them, or behind a path) and `auth.md`, in the folder itself or in one such as `public`. Nothing is read through a link that leads out of it. Each document is judged where it says that it is served, or below `--base URL`. A file may be named, too.',
      'A URL is asked by GET alone, without credentials: for itself (its 401 may name the metadata), for the metadata of the resource, for that of its authorization servers, for the skill file. Redirects are reported and not followed, answers are cut at 1 MiB, and a run ends after a minute.',
      '**Documents only.** A site that has nothing to register at may say so in `x-no-registration`, `registration_not_required` or `registration_required`. It then passes: the rules about a registration are not applied, and a note says what the documents amount to.',
      '`--fix` prints the documents mended as far as that takes no more than they say: right names and places, names for scanners beside those for agents (`register_uri`, `claim_uri`), lists as lists, no member without its URL. It never makes up a URL in a document; where none registers agents, it sets `x-no-registration`. Where a document is missing, it prints a whole one to begin with, as the mock service writes its own (for a folder, with `--base URL`). What is left goes to stderr. `--report sarif=FILE` is for code scanning, `--json` for programs ([json.md](json.md#documents-that-were-checked)).',
      'In CI, the action of this repository takes the folder or the URL as its input `lint`: it fails as the command does, puts the findings into the job summary, and gives the path of the SARIF file as its output `sarif` ([conformance.md](conformance.md) shows the action):',
      '```yaml\n- id: lint\n  uses: OWNER/agent-auth@COMMIT\n  with:\n    lint: ./public\n    options: --base=https://www.example.com\n```',
      ...overview,
      ...sections,
    ].join('\n\n'),
  );
}

/** @param {string} id @param {Rule} rule @param {SourceLink} sourceLink */
function section(id, rule, sourceLink) {
  const { holds, why, source, before, after } = rule;
  const { href } = sourceLink(source, '');
  const cited = href === undefined ? source : `[${source}](${href.replace(/^docs\//, '')})`;
  return [
    `### ${id}`,
    `${holds} ${why} (${severityText(rule)}; ${cited})`,
    `Before:\n\n${block(before)}`,
    `After:\n\n${block(after)}`,
  ].join('\n\n');
}

/** @param {Rule} rule */
function severityText({ severity, severityElsewhere }) {
  return severityElsewhere === undefined ? severity : `${severity}; of v0.1 ${severityElsewhere}`;
}

/** @param {Example} example */
function block(example) {
  return typeof example === 'string'
    ? `\`\`\`text\n${example}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}
