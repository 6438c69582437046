import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DEEPEST, MOST_ENTRIES } from './limits.ts';

/** Never looked into: other people's files, and those of a tool. */
const LEFT_OUT = /^(?:node_modules|\.(?!well-known$).*)$/;

export interface ListedFiles {
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
  let isCut = false;
  for (let depth = 0; level.length > 0 && !isCut; depth += 1) {
    const next: string[] = [];
    for (const below of level) {
      for (const entry of readEntries(join(root, below))) {
        if (LEFT_OUT.test(entry.name)) continue;
        entries += 1;
        isCut ||= entries > MOST_ENTRIES;
        if (isCut) break;
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        const found: Found = entry.isSymbolicLink() ? linked(root, path) : { kind: kindOf(entry) };
        if (found.kind === 'file') files.push(path);
        else if (found.kind === 'outside') outside.push(path);
        else if (found.kind === 'folder') {
          const target = found.target ?? join(root, path);
          if (!seen.has(target)) next.push(path);
          seen.add(target);
        }
      }
    }
    isCut ||= depth === DEEPEST && next.length > 0;
    level = next;
  }
  return { files: files.sort(), outside, isCut };
}

/** A folder that cannot be read has nothing to show. */
function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A pipe or a device would block, or never end. */
function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }) {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

function linked(root: string, path: string): Found {
  try {
    const target = realpathSync(join(root, path));
    if (target !== root && !target.startsWith(root === sep ? sep : root + sep)) {
      return { kind: 'outside' };
    }
    return { kind: kindOf(statSync(target)), target };
  } catch {
    return { kind: 'outside' };
  }
}

interface Found {
  readonly kind: ReturnType<typeof kindOf> | 'outside';
  /** Where a link leads. */
  readonly target?: string;
}
