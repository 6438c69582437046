import type { DocumentKind } from '../../../discovery/document.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  OPENID_CONFIGURATION_PATH,
  PROTECTED_RESOURCE_PATH,
} from '../../../protocol/urls.ts';

/** Folders that are published as they are, where a project keeps its pages in one. */
const SITE_FOLDERS = ['public', 'static', 'dist', 'site', '_site', 'out', 'www'];

const WELL_KNOWN =
  /^(?:(.*)\/)?\.well-known\/(?:oauth-authorization-server|oauth-protected-resource|openid-configuration)(?:[/.]|$)/;
const SKILL = /^(?:(.*)\/)?auth\.md$/i;

/** A file that holds, or should hold, a discovery document. */
export interface Candidate {
  /** Below the folder. */
  readonly file: string;
  /** As it is served, from the root of the site: `/.well-known/…`. */
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
  const hasServer = inside.some((file) => file.includes(AUTHORIZATION_SERVER_PATH.slice(1)));
  return inside.flatMap((file) => {
    const path = `/${file.slice(prefix.length)}`;
    const kind = kindAt(path);
    // Agents read it only where there is no other.
    const isOther = hasServer && path.includes(OPENID_CONFIGURATION_PATH);
    const isLeftOut = kind === undefined || isOther || hasTwin(file, inside);
    return isLeftOut ? [] : [{ file, path, kind }];
  });
}

function chooseSite(files: readonly string[]): string | undefined {
  for (const form of [WELL_KNOWN, SKILL]) {
    const found = [
      ...new Set(files.flatMap((file) => (form.test(file) ? [form.exec(file)?.[1] ?? ''] : []))),
    ];
    if (found.length === 0) continue;
    const usual = ['', ...SITE_FOLDERS].find((folder) => found.includes(folder));
    return usual ?? found.sort((a, b) => a.split('/').length - b.split('/').length)[0];
  }
  return undefined;
}

function kindAt(path: string): DocumentKind | undefined {
  const isAt = (place: string) =>
    path.includes(`${place}/`) || path.endsWith(place) || path.endsWith(`${place}.json`);
  if (isAt(AUTHORIZATION_SERVER_PATH) || isAt(OPENID_CONFIGURATION_PATH)) return 'server';
  if (isAt(PROTECTED_RESOURCE_PATH)) return 'resource';
  return /^\/auth\.md$/i.test(path) ? 'skill' : undefined;
}

/** A file with `.json` beside the one without is the same document twice. */
function hasTwin(file: string, files: readonly string[]): boolean {
  return file.endsWith('.json') && files.includes(file.slice(0, -'.json'.length));
}
