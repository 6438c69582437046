// Writes docs/reference from dist/types; with --check, fails when a page differs. What it takes is installed here, at
// its first call: neither `npm ci` nor `npm test` needs it.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const site = join(import.meta.dirname, '../docs/site');
const installed = join(site, 'node_modules/.package-lock.json');

/** @param {string} file */
const changedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

try {
  if (changedAt(installed) < changedAt(join(site, 'package-lock.json'))) {
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['ci', ...quiet], { cwd: site, stdio: 'inherit' });
  }
  const generate = [join(site, 'generate.js'), ...process.argv.slice(2)];
  execFileSync(process.execPath, generate, { stdio: 'inherit' });
} catch (error) {
  // What failed has said why.
  if (!(error instanceof Error && 'status' in error)) throw error;
  process.exitCode = 1;
}
