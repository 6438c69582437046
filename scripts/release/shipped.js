import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlinedPackages } from '../build/inlined-packages.js';
import { broughtBy, needsOf } from '../package/brought-by.js';

/**
 * The packages that a published version consists of, by their paths in the lock file: what it installs, on any system,
 * and what the build holds, which npm takes for tools of development.
 * @returns {ReadonlySet<string>}
 */
export function shippedPaths() {
  const root = join(import.meta.dirname, '../..');
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { packages } = read('package-lock.json');
  const installed = Object.keys(read('package.json').dependencies).flatMap((name) => [
    ...broughtBy(`node_modules/${name}`, (path) => needsOf(packages, path)),
  ]);
  const held = inlinedPackages().map(({ path }) => path);
  return new Set([...installed, ...held]);
}
