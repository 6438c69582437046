// npm run release:prepare -- VERSION [DAY]: writes the version into package.json and its lock, and makes what the
// changelog has to come a section of it. The day is that of the last commit where none is given.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { released } from './sections.js';

const root = join(import.meta.dirname, '../..');
const [version = '', day = lastDay()] = process.argv.slice(2);

function lastDay() {
  const words = ['log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d'];
  const env = { ...process.env, TZ: 'UTC' };
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', env }).trim();
}

/** Changes one line of a file, and nothing else of its form. */
function rewrite(/** @type {string} */ name, /** @type {(text: string) => string} */ change) {
  const path = join(root, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

try {
  rewrite('CHANGELOG.md', (text) => released(text, version, day));
  rewrite(
    'package.json',
    (text) => `${JSON.stringify({ ...JSON.parse(text), version }, null, 2)}\n`,
  );
  rewrite('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = version;
    lock.packages[''].version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  process.stdout.write(
    `${version}, ${day}. Read the changelog, commit, then: git tag v${version} && git push origin v${version}\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
