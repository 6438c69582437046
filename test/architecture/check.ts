import { posix } from 'node:path';
import { circles } from './circles.ts';
import { type ModuleFacts, type ModuleImport, readModule, type SourceFile } from './read-module.ts';

/** Where a package may be imported: anywhere, or only in files that match. */
export interface Limits {
  readonly in?: RegExp;
}

/** One row of the table: what a folder of `src` may import besides itself. */
export interface FolderRule {
  readonly folders: readonly string[];
  /** Package name → limits. A name covers its subpaths; `node:*` covers all of Node. */
  readonly packages: Readonly<Record<string, Limits>>;
}

export interface Architecture {
  readonly table: Readonly<Record<string, FolderRule>>;
  /** Folders that may reach a single file behind another folder's door. */
  readonly behindDoors: readonly string[];
  /** Packages that one file of a folder wraps for the rest of it. */
  readonly oneFile: readonly string[];
  /** Names that a folder may not take from another, as values. */
  readonly names: readonly {
    readonly from: string;
    readonly folders: readonly string[];
    readonly refused: RegExp;
    readonly why: string;
  }[];
  /** Data outside src that is built into a module. */
  readonly outside: readonly { readonly from: RegExp; readonly to: RegExp }[];
  readonly effectsIn: readonly RegExp[];
  /** Layers above the rest of their folder: nothing below uses their word or imports them. */
  readonly topLayers: readonly TopLayer[];
  readonly longestFile: number;
  /** Files that may be longer, each with its reason. */
  readonly longFiles: Readonly<Record<string, string>>;
}

/** A layer on top of a folder, which the rest of the folder neither imports nor names. */
export interface TopLayer {
  /** The folders of `src` that have such a layer. */
  readonly folders: readonly string[];
  readonly at: RegExp;
  /** What nothing below mentions, in code or comment. */
  readonly word: RegExp;
  /** Files that use the word and do not import the layer. */
  readonly mayNameIt: readonly RegExp[];
  /** Files that add the layer, and may import it. */
  readonly mayImportIt: readonly RegExp[];
}

export type Rule =
  | 'import'
  | 'door'
  | 'cli'
  | 'cycle'
  | 'circle'
  | 'room-circle'
  | 'top-layer'
  | 'one-file'
  | 'names'
  | 'effect'
  | 'computed-import'
  | 'extension'
  | 'outside'
  | 'folder'
  | 'file-name'
  | 'default-export'
  | 'length';

export interface Violation {
  readonly rule: Rule;
  readonly at: string;
  readonly detail: string;
}

const KEBAB_FILE = /^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/;

/** Everything in `files` (all under `src/`) that breaks the rules of the architecture. */
export function check(files: readonly SourceFile[], architecture: Architecture): Violation[] {
  const modules = files.map(readModule);
  return [
    ...modules.flatMap((module) => checkModule(module, architecture)),
    ...checkOneFile(modules, architecture),
    ...checkCycles(modules),
    ...checkCircles(modules),
    ...checkRooms(modules),
    ...architecture.topLayers.flatMap((layer) => checkTopLayer(files, modules, layer)),
  ];
}

function checkModule(module: ModuleFacts, architecture: Architecture): Violation[] {
  const { path } = module;
  const found: Violation[] = [];
  const report = (rule: Rule, detail: string, line = 1) =>
    found.push({ rule, at: `${path}:${line}`, detail });

  const folder = folderOf(path);
  const row = architecture.table[folder];
  if (row === undefined) {
    report('folder', `src/${folder} is not in the table`);
    return found;
  }
  if (!KEBAB_FILE.test(posix.basename(path))) report('file-name', 'the name is not kebab-case');
  if (module.defaultExportLine !== undefined) {
    report('default-export', 'exports are named', module.defaultExportLine);
  }
  if (module.lineCount > architecture.longestFile && architecture.longFiles[path] === undefined) {
    report('length', `${module.lineCount} lines: two ideas, or a reason in the list`);
  }
  if (!architecture.effectsIn.some((place) => place.test(path))) {
    for (const { name, line } of module.ambient)
      report('effect', `${name} comes in as a port`, line);
  }
  for (const each of module.imports) {
    const { specifier, line } = each;
    if (specifier === undefined) {
      report('computed-import', 'the path of an import is a plain string', line);
    } else if (specifier.startsWith('.')) {
      for (const [rule, detail] of checkRelative(path, each, specifier, architecture)) {
        report(rule, detail, line);
      }
    } else if (!packageAllowed(row, path, specifier)) {
      report('import', `${folder} may not import ${specifier} here`, line);
    }
  }
  return found;
}

function checkRelative(
  path: string,
  { typeOnly, names }: ModuleImport,
  specifier: string,
  architecture: Architecture,
): [Rule, string][] {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith('src/')) {
    return architecture.outside.some(({ from, to }) => from.test(path) && to.test(target))
      ? []
      : [['outside', `${specifier} leaves src`]];
  }
  if (!/\.tsx?$/.test(target)) return [['extension', `${specifier} does not end in .ts`]];
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to) return [];
  if (to === 'cli') return [['cli', 'nobody imports cli']];
  if (!architecture.table[from]?.folders.includes(to))
    return [['import', `${from} may not import ${to}`]];

  const found: [Rule, string][] = [];
  const isDoor = target === `src/${to}/index.ts`;
  if (!isDoor && !architecture.behindDoors.includes(from)) {
    found.push(['door', `${specifier} is behind the door src/${to}/index.ts`]);
  }
  for (const rule of architecture.names) {
    if (typeOnly || rule.from !== to || !rule.folders.includes(from)) continue;
    if (architecture.effectsIn.some((place) => place.test(path))) continue;
    for (const name of names.filter((each) => each === '*' || rule.refused.test(each))) {
      found.push(['names', `${from} may not take ${name} from ${to}: ${rule.why}`]);
    }
  }
  return found;
}

function packageAllowed(row: FolderRule, path: string, specifier: string): boolean {
  return Object.entries(row.packages).some(
    ([name, limits]) =>
      covers(name, specifier) && (limits.in === undefined || limits.in.test(path)),
  );
}

function checkOneFile(modules: readonly ModuleFacts[], architecture: Architecture): Violation[] {
  return architecture.oneFile.flatMap((name) => {
    // A type of Node's brings nothing in; one of a package ties a file to that package.
    const users = modules.filter((module) =>
      module.imports.some(
        ({ specifier = '', typeOnly }) =>
          covers(name, specifier) && !(typeOnly && name.startsWith('node:')),
      ),
    );
    return users.flatMap(({ path }) => {
      const first = users.find((user) => folderOf(user.path) === folderOf(path));
      if (first === undefined || first.path === path) return [];
      const detail = `${name} is imported by ${first.path} already`;
      return [{ rule: 'one-file' as const, at: path, detail }];
    });
  });
}

function checkCycles(modules: readonly ModuleFacts[]): Violation[] {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of modules) {
    const from = folderOf(path);
    for (const { specifier } of imports) {
      if (specifier === undefined || !specifier.startsWith('.')) continue;
      const to = folderOf(posix.join(posix.dirname(path), specifier));
      if (to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const found: Violation[] = [];
  const done = new Set<string>();
  const walk = (folder: string, path: readonly string[]): void => {
    const seen = path.indexOf(folder);
    if (seen >= 0) {
      const circle = [...path.slice(seen), folder].join(' → ');
      found.push({ rule: 'cycle', at: `src/${folder}`, detail: circle });
      return;
    }
    if (done.has(folder)) return;
    for (const next of edges.get(folder) ?? []) walk(next, [...path, folder]);
    done.add(folder);
  };
  for (const folder of edges.keys()) walk(folder, []);
  return found;
}

/** Files that import each other in a circle, types and imports on call included. */
function checkCircles(modules: readonly ModuleFacts[]): Violation[] {
  return circles(
    new Map(
      modules.map(({ path, imports }) => [path, imports.flatMap((each) => target(path, each))]),
    ),
  ).map((circle) => ({
    rule: 'circle',
    at: circle[0] ?? '',
    detail: circle.join(' → '),
  }));
}

/**
 * Rooms of one product that import each other in a circle, types and imports on call included. A room is a
 * folder of the product, or a file beside them.
 */
function checkRooms(modules: readonly ModuleFacts[]): Violation[] {
  const edges = new Map<string, string[]>();
  for (const module of modules) {
    const from = roomOf(module.path);
    const targets = module.imports.flatMap((each) => target(module.path, each));
    const rooms = targets.filter((to) => folderOf(to) === folderOf(module.path)).map(roomOf);
    const known = edges.get(from) ?? [];
    edges.set(from, [...known, ...rooms.filter((to) => to !== from)]);
  }
  return circles(edges).map((circle) => ({
    rule: 'room-circle',
    at: circle[0] ?? '',
    detail: `a circle of ${circle.join(', ')}`,
  }));
}

function checkTopLayer(
  files: readonly SourceFile[],
  modules: readonly ModuleFacts[],
  { folders, at, word, mayNameIt, mayImportIt }: TopLayer,
): Violation[] {
  const rule = 'top-layer' as const;
  const isBelow = (path: string) => folders.includes(folderOf(path)) && !at.test(path);
  const isOneOf = (places: readonly RegExp[], path: string) =>
    places.some((place) => place.test(path));
  const naming = files
    .filter(({ path }) => isBelow(path) && !isOneOf([...mayNameIt, ...mayImportIt], path))
    .flatMap(({ path, text }) => {
      const line = text.split('\n').findIndex((each) => word.test(each)) + 1;
      return line === 0 ? [] : [{ rule, at: `${path}:${line}`, detail: `names ${word}` }];
    });
  const importing = modules
    .filter(({ path }) => isBelow(path) && !isOneOf(mayImportIt, path))
    .flatMap((module) =>
      module.imports
        .filter((each) => target(module.path, each).some((path) => at.test(path)))
        .map(({ line, specifier }) => ({
          rule,
          at: `${module.path}:${line}`,
          detail: `${specifier} is in a layer above`,
        })),
    );
  return [...naming, ...importing];
}

export function target(path: string, { specifier }: ModuleImport): readonly string[] {
  return specifier?.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : [];
}

/** `src/cli/shell` of `src/cli/shell/a.ts`; the file itself beside the folders. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

export function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

export function covers(name: string, specifier: string): boolean {
  if (name === 'node:*') return specifier.startsWith('node:');
  return specifier === name || specifier.startsWith(`${name}/`);
}
