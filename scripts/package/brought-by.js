/** Which package brings which, by a lock file. */

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
