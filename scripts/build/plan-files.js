/**
 * Which modules of the build lie in one file. Each `import()` and each door of the package reads what it leads to: of
 * 1,300 modules, those with the same readers lie together from the first. That makes hundreds of files, and each costs
 * a start about as much as 40 kB more in one that it reads anyway. So files are joined, two at a time and the best pair
 * first, while what all readers read gets cheaper by it.
 */
import { rolldown } from 'rolldown';

/** What a file costs who reads it, and who installs it. In bytes. */
const READ = 40_000;
const INSTALL = 40_000;
/** What the lines that people wait for read, and how much it counts: `--version`, `--help`, `status`, `token`, `call`. */
const STARTS = new Map([
  ['cli/main', 2000],
  ['cli/run-line', 300],
  ['cli/program', 300],
  ['cli/shell/world', 300],
  ['cli/shell/network', 300],
  ['cli/agent/status', 300],
  ['cli/agent/token', 300],
  ['cli/agent/call', 300],
  ['agent/credentials/credential-file', 300],
]);
/** What each line of the program reads before anything else of it. */
const FIRST = [...STARTS.keys()].slice(0, 3);

/**
 * @typedef {object} Part a file to be
 * @property {string} name
 * @property {string[]} modules
 * @property {number} size
 * @property {Set<Part>} imports
 * @property {Set<string>} foreign what it imports of packages and of Node
 * @property {Set<Reader>} readers
 *
 * @typedef {object} Reader a door, or what an `import()` names, with all that is read for it
 * @property {string} name
 * @property {number} weight
 * @property {Set<Part>} reads
 * @property {Set<string>} foreign
 */

/**
 * @param {import('rolldown').InputOptions} input
 * @returns {Promise<Map<string, string>>} the name of its file, by the path of each module
 */
export async function planFiles(input) {
  const bundle = await rolldown(input);
  const made = await bundle.generate({ preserveModules: true });
  await bundle.close();
  const parts = new Set(partsOf(made.output.filter((one) => one.type === 'chunk')));
  while (joinPairs(parts)) {}
  /** @type {Map<string, number>} */
  const names = new Map();
  return new Map(
    [...parts].flatMap(({ name, modules }) => {
      const count = (names.get(name) ?? 0) + 1;
      names.set(name, count);
      return modules.map(
        (id) => /** @type {const} */ ([id, count > 1 ? `${name}-${count}` : name]),
      );
    }),
  );
}

/** Of modules alone: those with the same readers are a part. */
function partsOf(/** @type {readonly import('rolldown').OutputChunk[]} */ chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const closure = (/** @type {string} */ file) => {
    const found = new Set([file]);
    for (const one of found)
      for (const next of byFile.get(one)?.imports ?? []) if (byFile.has(next)) found.add(next);
    return found;
  };
  const loaded = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports));
  const readers = chunks
    .filter(({ isEntry, fileName }) => isEntry || loaded.has(fileName))
    .map(({ facadeModuleId, fileName }) => {
      const name = /\/src\/(.*)\.tsx?$/.exec(facadeModuleId ?? '')?.[1] ?? fileName;
      return { name, files: closure(fileName) };
    });
  for (const name of STARTS.keys())
    if (!readers.some((each) => each.name === name)) throw new Error(`No import() names ${name}.`);
  const first = FIRST.map((name) => readers.find((each) => each.name === name)?.files ?? new Set());
  for (const { name, files } of readers) {
    if (!name.startsWith('cli/') || FIRST.includes(name)) continue;
    for (const file of first.flatMap((before) => [...before])) files.add(file);
  }
  /** @type {Map<string, Part>} */
  const byReaders = new Map();
  /** @type {Map<string, Part>} */
  const partOf = new Map();
  for (const { fileName, moduleIds, code, imports } of chunks) {
    const key = readers
      .filter(({ files }) => files.has(fileName))
      .map(({ name }) => name)
      .join();
    const name = fileName.replace(/^.*\/([^/.]+).*$/, '$1');
    const part = byReaders.get(key) ?? {
      name,
      modules: [],
      size: 0,
      imports: new Set(),
      foreign: new Set(),
      readers: new Set(),
    };
    byReaders.set(key, part);
    partOf.set(fileName, part);
    part.modules.push(...moduleIds);
    part.size += code.length;
    for (const each of imports)
      if (!byFile.has(each)) part.foreign.add(each.startsWith('node:') ? 'node' : each);
  }
  for (const { fileName, imports } of chunks) {
    const part = partOf.get(fileName);
    for (const each of imports) {
      const other = partOf.get(each);
      if (other !== undefined && other !== part) part?.imports.add(other);
    }
  }
  for (const { name, files } of readers) {
    const reads = new Set([...files].flatMap((file) => partOf.get(file) ?? []));
    const foreign = new Set([...reads].flatMap((part) => [...part.foreign]));
    const weight = STARTS.get(name) ?? 1;
    const reader = { name, weight, reads, foreign };
    for (const part of reads) part.readers.add(reader);
  }
  return byReaders.values();
}

/** The pairs whose joining saves most first, each file once. @returns whether there was one */
function joinPairs(/** @type {Set<Part>} */ parts) {
  const all = [...parts];
  const pairs = all.flatMap((one, index) =>
    all.slice(index + 1).map((other) => ({ one, other, saved: savedBy(one, other) })),
  );
  const joined = new Set();
  for (const { one, other, saved: least } of pairs
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => b.saved - a.saved)) {
    if (joined.has(one) || joined.has(other) || savedBy(one, other) < least / 2) continue;
    join(parts, one, other);
    joined.add(one).add(other);
  }
  return joined.size > 0;
}

/** A part, and all that it imports. */
function reach(/** @type {Part} */ part) {
  const found = new Set([part]);
  for (const one of found) for (const next of one.imports) found.add(next);
  return found;
}

function savedBy(/** @type {Part} */ one, /** @type {Part} */ other) {
  let saved = INSTALL;
  for (const reader of one.readers)
    saved += reader.weight * (other.readers.has(reader) ? READ : -other.size);
  for (const reader of other.readers)
    if (!one.readers.has(reader)) saved -= reader.weight * one.size;
  if (saved <= 0) return 0;
  const ways = /** @type {const} */ ([
    [one, other],
    [other, one],
  ]);
  // No circle: neither leads to the other by way of a third.
  for (const [from, to] of ways)
    for (const part of from.imports) if (part !== to && reach(part).has(to)) return 0;
  for (const [from, to] of ways)
    for (const reader of from.readers) {
      if (to.readers.has(reader)) continue;
      for (const part of reach(to)) {
        if (reader.reads.has(part)) continue;
        // Nobody reads a package for what is not theirs, or of Node who runs without it.
        if ([...part.foreign].some((name) => !reader.foreign.has(name))) return 0;
        if (part !== to) saved -= reader.weight * (part.size + READ);
      }
      if (saved <= 0) return 0;
    }
  return saved;
}

function join(/** @type {Set<Part>} */ parts, /** @type {Part} */ one, /** @type {Part} */ other) {
  parts.delete(other);
  if (other.size > one.size) one.name = other.name;
  one.modules.push(...other.modules);
  one.size += other.size;
  for (const name of other.foreign) one.foreign.add(name);
  for (const part of other.imports) one.imports.add(part);
  for (const part of parts) if (part.imports.delete(other)) part.imports.add(one);
  one.imports.delete(one);
  const now = reach(one);
  for (const reader of new Set([...one.readers, ...other.readers])) {
    reader.reads.delete(other);
    for (const part of now) {
      reader.reads.add(part);
      part.readers.add(reader);
    }
  }
}
