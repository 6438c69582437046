/**
 * Builds, unless the last build is newer than everything that it was made of: `npm ci` does, and each script of tests.
 * `npm run build` leaves the time of its end in `.cache/built`; `npm run build` itself always builds.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const SOURCES = [
  'src',
  'fixtures/requirements',
  'scripts/build',
  'scripts/docs',
  'scripts/schemas',
  'docs/json.md',
  'test/dialects',
  'package.json',
  'package-lock.json',
  'rolldown.config.js',
];

/** @returns {number} the latest change of a file, or below a folder, in milliseconds */
function changedAt(/** @type {string} */ path) {
  const at = statSync(path);
  if (!at.isDirectory()) return at.mtimeMs;
  const below = readdirSync(path).map((name) => changedAt(join(path, name)));
  return Math.max(at.mtimeMs, ...below);
}

const configurations = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name));
const built = statSync(join(root, '.cache/built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isThere = statSync(join(root, 'dist/types'), { throwIfNoEntry: false }) !== undefined;
const changed = [...SOURCES, ...configurations].map((name) => changedAt(join(root, name)));
if (!isThere || built < Math.max(...changed)) {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
