// Prints what a published version consists of, in CycloneDX. npm names the components, this picks those that are shipped:
// `--omit dev` leaves out what a tool brings as well, jose among them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPaths } from './shipped.js';

/**
 * @typedef {object} Bom
 * @property {{ component: { 'bom-ref': string, name: string } }} metadata
 * @property {readonly { 'bom-ref': string, name: string, version: string }[]} components
 * @property {readonly { ref: string, dependsOn: readonly string[] }[]} dependencies
 */

const root = join(import.meta.dirname, '../..');
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { name } = read('package.json');
const { packages } = read('package-lock.json');

const refs = new Set(
  [...shippedPaths()].map((path) => {
    const last = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return `${last}@${packages[path].version}`;
  }),
);

const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library', '--package-lock-only'];
/** @type {Bom} */
const bom = JSON.parse(
  execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const { component } = bom.metadata;
const own = component['bom-ref'];
const components = bom.components.filter((each) => refs.has(`${each.name}@${each.version}`));
const missing = [...refs].filter(
  (ref) => !components.some((each) => `${each.name}@${each.version}` === ref),
);
if (missing.length > 0) throw new Error(`npm sbom does not name ${missing.join(', ')}.`);
const kept = new Set([own, ...components.map((each) => each['bom-ref'])]);
const print = {
  ...bom,
  // npm takes the name of the folder.
  metadata: { ...bom.metadata, component: { ...component, name } },
  components,
  dependencies: bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => kept.has(ref)) })),
};
process.stdout.write(`${JSON.stringify(print, null, 2)}\n`);
