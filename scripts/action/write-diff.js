import { readFileSync, writeFileSync } from 'node:fs';

// `write-diff.js REPORT FILE` writes what changed since an earlier report as Markdown, for the comment, and says
// on stdout whether that is for the worse. It has names of the suite alone, nothing that whoever is judged wrote.

/** A comment that is longer than 65 536 characters is refused as a whole. */
const MOST = 200;

/** @typedef {{ id: string, was: string, now: string }} Turned */

const [report = '', file = ''] = process.argv.slice(2);
const { since } = JSON.parse(readFileSync(report, 'utf8'));
// The run ended before anything could be judged: there is nothing to compare.
if (since === undefined) process.exit(1);
/** @type {{ startedAt: string, compared: number, worse: boolean, failsNow: Turned[], passesNow: Turned[] }} */
const { startedAt, compared, worse, failsNow, passesNow } = since;

/** @param {string} heading @param {Turned[]} checks */
function list(heading, checks) {
  if (checks.length === 0) return [];
  const more = checks.length - MOST;
  return [
    '',
    `### ${heading} (${checks.length})`,
    '',
    ...checks.slice(0, MOST).map(({ id, was, now }) => `- ${was} → ${now} \`${id}\``),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

const lines = [
  `## ${worse ? '❌ Got worse' : '✅ Nothing got worse'}`,
  '',
  `Since the report of ${startedAt}, by the ${compared} checks that both runs judged.`,
  ...list('Fails now', failsNow),
  ...list('Passes now', passesNow),
];
writeFileSync(file, `${lines.join('\n')}\n`);
process.stdout.write(`${worse}\n`);
