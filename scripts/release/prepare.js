// npm run release:prepare -- VERSION [DAY]: writes the version into package.json, its lock and what names it, and makes
// what the changelog has to come a section of it. The day is that of the last commit where none is given.
// npm run release:prepare: says what is missing for a release, a line each with what to do; exit 1 while something is.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongNames } from '../package/names.js';
import { BY_HAND, missingFor } from './missing.js';
import { released } from './sections.js';

const root = join(import.meta.dirname, '../..');
const read = (/** @type {string} */ name) => readFileSync(join(root, name), 'utf8');
const [version, day = git('log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d')] =
  process.argv.slice(2);

function git(/** @type {readonly string[]} */ ...words) {
  const env = { ...process.env, TZ: 'UTC' };
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', env }).trim();
}

/** Changes one line of a file, and nothing else of its form. */
function rewrite(/** @type {string} */ name, /** @type {(text: string) => string} */ change) {
  writeFileSync(join(root, name), change(read(name)));
}

function prepare(/** @type {string} */ number) {
  rewrite('CHANGELOG.md', (text) => released(text, number, day));
  rewrite(
    'package.json',
    (text) => `${JSON.stringify({ ...JSON.parse(text), version: number }, null, 2)}\n`,
  );
  rewrite('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = number;
    lock.packages[''].version = number;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  for (const { path, text } of wrongNames(root)) rewrite(path, () => text);
  process.stdout.write(
    `${number}, ${day}. Read the changelog, commit, then: npm run release:prepare says what is missing.\n`,
  );
}

function tellMissing() {
  const missing = missingFor({
    manifest: JSON.parse(read('package.json')),
    changelog: read('CHANGELOG.md'),
    readme: read('README.md'),
    hasLicense: existsSync(join(root, 'LICENSE')),
    otherNames: wrongNames(root).map(({ path }) => path),
    remotes: git('remote', '-v').split(/\s+/),
    tags: git('tag').split('\n'),
    isCommitted: git('status', '--porcelain') === '',
  });
  const lines = missing.length === 0 ? ['Nothing is missing.'] : missing;
  for (const line of lines) process.stdout.write(`${missing.length === 0 ? '✓' : '✗'} ${line}\n`);
  for (const line of BY_HAND) process.stdout.write(`? ${line}\n`);
  if (missing.length > 0) process.exitCode = 1;
}

try {
  if (version === undefined) tellMissing();
  else prepare(version);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
