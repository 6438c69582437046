import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { DocumentKind } from '../../../discovery/document.ts';

/** The most entries of folders that are looked at, and the deepest folder, from the one that was named. */
const MOST_ENTRIES = 20_000;
const DEEPEST = 8;

/** Never looked into: other people's files, and those of a tool. */
const LEFT_OUT = /^(?:node_modules|\.(?!well-known$).*)$/;

interface ListedFiles {
  /** Paths below the folder, with slashes, sorted; regular files inside the folder alone. */
  readonly files: readonly string[];
  /** Links that lead out of the folder, or nowhere. Not followed. */
  readonly outside: readonly string[];
  /** Whether there was more than is looked at. */
  readonly isCut: boolean;
}

/**
 * The files below a folder, what lies near first. A link is followed where it stays inside, so that nothing is read
 * elsewhere. Each folder is looked into once, so that a circle of links ends, and depth and number are limited.
 * @param root without links in its path.
 */
export function listFiles(root: string): ListedFiles {
  const files: string[] = [];
  const outside: string[] = [];
  const seen = new Set([root]);
  let level: readonly string[] = [''];
  let entries = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const below of level) {
      for (const entry of readEntries(join(root, below))) {
        if (LEFT_OUT.test(entry.name)) continue;
        entries += 1;
        if (entries > MOST_ENTRIES) return { files: files.sort(), outside, isCut: true };
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        const [its, target] = entry.isSymbolicLink()
          ? linked(root, path)
          : [entry, join(root, path)];
        if (its === undefined) outside.push(path);
        else if (its.isFile()) files.push(path);
        // A pipe or a device would block, or never end.
        else if (its.isDirectory() && !seen.has(target)) {
          seen.add(target);
          next.push(path);
        }
      }
    }
    if (depth === DEEPEST) return { files: files.sort(), outside, isCut: next.length > 0 };
    level = next;
  }
  return { files: files.sort(), outside, isCut: false };
}

/** A folder that cannot be read has nothing to show. */
function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** What a link leads to, and where; nothing outside the folder. */
function linked(root: string, path: string): readonly [its: Stats | undefined, target: string] {
  try {
    const target = realpathSync(join(root, path));
    const isInside = target === root || target.startsWith(root === sep ? sep : root + sep);
    return [isInside ? statSync(target) : undefined, target];
  } catch {
    return [undefined, ''];
  }
}

/** Folders that are published as they are, where a project keeps its pages in one. */
const SITE_FOLDERS = ['public', 'static', 'dist', 'site', '_site', 'out', 'www'];

const WELL_KNOWN =
  /^(?:(.*)\/)?\.well-known\/(?:oauth-authorization-server|oauth-protected-resource|openid-configuration)(?:[/.]|$)/;
const SKILL = /^(?:(.*)\/)?auth\.md$/i;

/** A file that holds, or should hold, a discovery document. */
interface Candidate {
  /** Below the folder. */
  readonly file: string;
  /** The path at which it is served, from the root of the site: `/.well-known/…`. */
  readonly path: string;
  readonly kind: DocumentKind;
}

/**
 * The discovery documents among the files of a project. The site is the folder that has `.well-known`: the one that
 * was named, one that is usually published, else the first one.
 */
export function findCandidates(files: readonly string[]): readonly Candidate[] {
  const site = chooseSite(files);
  if (site === undefined) return [];
  const prefix = site === '' ? '' : `${site}/`;
  const ownFolders = SITE_FOLDERS.map((name) => `${prefix}${name}/`);
  const inside = files.filter(
    (file) => file.startsWith(prefix) && !ownFolders.some((folder) => file.startsWith(folder)),
  );
  const hasServer = inside.some((file) => file.includes('.well-known/oauth-authorization-server'));
  return inside.flatMap((file) => {
    const path = `/${file.slice(prefix.length)}`;
    const kind = kindAt(path);
    // Agents read it only where there is no other.
    const isOther = hasServer && path.includes('/.well-known/openid-configuration');
    // A file with `.json` beside the one without is the same document twice.
    const isTwin = file.endsWith('.json') && inside.includes(file.slice(0, -'.json'.length));
    return kind === undefined || isOther || isTwin ? [] : [{ file, path, kind }];
  });
}

function chooseSite(files: readonly string[]): string | undefined {
  for (const form of [WELL_KNOWN, SKILL]) {
    const found = files.flatMap((file) => (form.test(file) ? [form.exec(file)?.[1] ?? ''] : []));
    const usual = ['', ...SITE_FOLDERS].find((folder) => found.includes(folder));
    const [nearest] = found.toSorted((a, b) => a.split('/').length - b.split('/').length);
    if (nearest !== undefined) return usual ?? nearest;
  }
  return undefined;
}

function kindAt(path: string): DocumentKind | undefined {
  const [, place] =
    /\/\.well-known\/(oauth-authorization-server|openid-configuration|oauth-protected-resource)(?:\/|(?:\.json)?$)/.exec(
      path,
    ) ?? [];
  if (place !== undefined) return place === 'oauth-protected-resource' ? 'resource' : 'server';
  return /^\/auth\.md$/i.test(path) ? 'skill' : undefined;
}
