/** What is in a folder of installed packages, and who brings what. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Installed
 * @property {string} name
 * @property {string} version
 * @property {string} path from the project, as the lock file names it
 * @property {number} bytes of its files, without the packages within it
 * @property {readonly string[]} needs the paths of what it depends on and was installed
 */

/** @typedef {Readonly<Record<string, string>>} Ranges */

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {Ranges} [dependencies]
 * @property {Ranges} [optionalDependencies]
 * @property {Ranges} [peerDependencies]
 * @property {Readonly<Record<string, { optional?: boolean }>>} [peerDependenciesMeta]
 */

/** @typedef {Readonly<Record<string, Locked>>} LockedPackages the `packages` of a lock file */

/** @returns {readonly Installed[]} what the lock file of `project` names and is there */
export function installedIn(/** @type {string} */ project) {
  /** @type {{ packages: LockedPackages }} */
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  const isThere = (/** @type {string} */ path) =>
    lstatSync(join(project, path), { throwIfNoEntry: false }) !== undefined;
  const paths = Object.keys(lock.packages).filter((path) => path !== '' && isThere(path));
  return paths.map((path) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: lock.packages[path]?.version ?? '',
    path,
    bytes: bytesOf(join(project, path)),
    needs: needsOf(lock.packages, path).filter(isThere),
  }));
}

/** The paths that a package's dependencies are found at: the nearest folder upwards, as Node looks. */
export function needsOf(/** @type {LockedPackages} */ packages, /** @type {string} */ path) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[path] ?? {};
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
  return [...names].flatMap((name) => nearest(packages, path, name) ?? []);
}

/** @returns {string | undefined} */
function nearest(
  /** @type {LockedPackages} */ packages,
  /** @type {string} */ from,
  /** @type {string} */ name,
) {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
}

/** What `first` leads to, itself with it. @returns {ReadonlySet<string>} paths */
export function broughtBy(
  /** @type {string} */ first,
  /** @type {(path: string) => readonly string[]} */ needs,
) {
  const found = new Set([first]);
  for (const path of found) for (const next of needs(path)) found.add(next);
  return found;
}

/** @returns {number} */
function bytesOf(/** @type {string} */ folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) bytes += lstatSync(path).size;
    else if (entry.name !== 'node_modules') bytes += bytesOf(path);
  }
  return bytes;
}
