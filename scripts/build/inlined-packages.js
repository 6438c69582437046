/** What others wrote and `dist` holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { broughtBy, needsOf } from '../package/brought-by.js';

const root = join(import.meta.dirname, '../..');

/** @typedef {{ name: string, version: string, path: string }} Inlined a package, and its folder in this project */

/**
 * The packages with a module in the build, by the lines that `rolldown.config.js` heads its files with, and what these
 * bring: some are bundles themselves.
 * @returns {readonly Inlined[]} by their paths
 */
export function inlinedPackages() {
  const dist = join(root, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, name), 'utf8'));
  const heads = texts.flatMap((text) => [
    ...text.matchAll(/^\/\/ (node_modules\/(?:.*\/node_modules\/)?(?:@[^/\s]+\/)?[^/\s]+)\//gm),
  ]);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const all = heads.flatMap(([, path = '']) => [
    ...broughtBy(path, (each) => needsOf(packages, each)),
  ]);
  return [...new Set(all)].sort().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return { name, version, path };
  });
}
