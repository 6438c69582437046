import { table } from '../docs/markdown.js';
import { broughtBy } from './installed.js';
import { BUILT, INSTALLED, OPTIONAL } from './reasons.js';

/** @typedef {import('./installed.js').Installed} Installed */

/**
 * @typedef {object} Weight
 * @property {{ name: string, dependencies: Readonly<Record<string, string>>, peerDependencies: Readonly<Record<string, string>> }} manifest
 * @property {readonly Installed[]} installed in an empty project
 * @property {readonly Installed[]} ours what is installed here
 * @property {ReadonlyMap<string, Uint8Array>} files of the package
 * @property {number} tarball bytes
 */

const TOTALS = /\*\*(\d+) packages, ([\d.]+) MB\*\*/;

/** What a page says `npm i` brings. */
export function readTotals(/** @type {string} */ markdown) {
  const [, packages, megabytes] = TOTALS.exec(markdown) ?? [];
  return { packages: Number(packages), megabytes: Number(megabytes) };
}

/** `docs/package.md`. @returns {string} */
export function weightPage(/** @type {Weight} */ weight) {
  const { manifest, installed, tarball, files } = weight;
  const bytes = sum(installed);
  const own = installed.find(({ name }) => name === manifest.name);
  return `# What the package brings

Measured by \`npm run package:weight\`, which packs, installs into an empty project and writes this page; not edited by hand. MB are a million bytes of files, on Linux (x64).

\`npm i ${manifest.name}\` brings **${installed.length} packages, ${mega(bytes)} MB**; ${mega(own?.bytes ?? 0)} MB of it is the package itself.

## What is installed

A package counts with all that it brings; what several bring counts at each. The last column says which commands load it; no other does.

${installedTable(weight)}

Of libsql, ${mega(sum(installed.filter(({ name }) => name.startsWith('@libsql/'))))} MB are SQLite itself, compiled. npm installs the two builds for Linux, for glibc and for musl, side by side: their \`package.json\` does not say which C library they are for. One of them is loaded. On other systems there is one.

## What the build holds

Little of these is used, or a start would wait for their many files. The build takes what is used, each into one file of \`dist/packages\`, and nothing of them is installed. Their notices, and of all that came with them, are in \`dist/packages/LICENSES.txt\` (\`preact\`: \`dist/live/LICENSES.txt\`).
What it costs: \`npm update\` and \`npm audit\` of your project do not reach what is built in. Security fixes of these come with a release of this package. Its list of components (SBOM) names each with its version, and a release with a severe advisory against one is refused.

${builtTable(weight)}

## What is used where you have it

Optional peers: nothing installs them, and what needs one says so.

${table(
  ['package', 'for'],
  Object.keys(manifest.peerDependencies)
    .sort()
    .map((name) => [`\`${name}\``, OPTIONAL[name] ?? '']),
)}

## What is in the package

${files.size} files, ${mega([...files.values()].reduce((all, { length }) => all + length, 0))} MB; ${mega(tarball)} MB to download.

${filesTable(files)}
`;
}

function installedTable(/** @type {Weight} */ { manifest, installed }) {
  const brought = ofEach(installed);
  const rows = Object.keys(manifest.dependencies).flatMap((name) => {
    const first = installed.find(({ path }) => path === `node_modules/${name}`);
    if (first === undefined) return [];
    const all = brought(first);
    const { why = '', loaded = '' } = INSTALLED[name] ?? {};
    const cells = [`\`${name}\``, first.version, String(all.length), mega(sum(all)), why, loaded];
    return [{ bytes: sum(all), cells }];
  });
  rows.sort((one, other) => other.bytes - one.bytes);
  return table(
    ['package', 'version', 'packages', 'MB', 'why', 'loaded by'],
    rows.map(({ cells }) => cells),
  );
}

function builtTable(/** @type {Weight} */ { ours, files }) {
  const brought = ofEach(ours);
  const rows = Object.entries(BUILT).flatMap(([name, { why, loaded }]) => {
    const first = ours.find(({ path }) => path === `node_modules/${name}`);
    if (first === undefined) return [];
    const all = brought(first);
    return [[`\`${name}\``, first.version, `${all.length}, ${mega(sum(all))} MB`, why, loaded]];
  });
  const own = [...files].filter(([path]) => path.startsWith('dist/packages/'));
  const held = mega(own.reduce((all, [, { length }]) => all + length, 0));
  const heads = ['package', 'version', 'it would bring', 'why', 'loaded by'];
  return `${table(heads, rows)}\n\n\`dist/packages\` has ${held} MB; zod's schemas and preact lie elsewhere in \`dist\`.`;
}

function filesTable(/** @type {ReadonlyMap<string, Uint8Array>} */ files) {
  /** @type {Map<string, { count: number, bytes: number }>} */
  const folders = new Map();
  for (const [path, { length }] of files) {
    const parts = path.split('/');
    const folder =
      parts.length === 1 ? 'the root' : parts.slice(0, parts[0] === 'dist' ? 2 : 1).join('/');
    const { count, bytes } = folders.get(folder) ?? { count: 0, bytes: 0 };
    folders.set(folder, { count: count + 1, bytes: bytes + length });
  }
  const rows = [...folders].sort(([, one], [, other]) => other.bytes - one.bytes);
  return table(
    ['folder', 'files', 'MB'],
    rows.map(([folder, { count, bytes }]) => [`\`${folder}\``, String(count), mega(bytes)]),
  );
}

/** @returns {(first: Installed) => readonly Installed[]} a package and what it brings */
function ofEach(/** @type {readonly Installed[]} */ all) {
  const byPath = new Map(all.map((one) => [one.path, one]));
  return ({ path }) =>
    [...broughtBy(path, (each) => byPath.get(each)?.needs ?? [])].flatMap(
      (each) => byPath.get(each) ?? [],
    );
}

function sum(/** @type {readonly { bytes: number }[]} */ all) {
  return all.reduce((bytes, one) => bytes + one.bytes, 0);
}

function mega(/** @type {number} */ bytes) {
  return (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1);
}
