import type { JsonObject } from '../../protocol/json.ts';

/** What a document is: by the place that it lies at, else by its members. */
export type DocumentKind = 'server' | 'resource' | 'block' | 'skill';

/** How the kinds are called in sentences. */
export const KIND_NAMES: Readonly<Record<DocumentKind, string>> = {
  server: 'authorization server metadata (RFC 8414)',
  resource: 'protected resource metadata (RFC 9728)',
  block: 'an agent_auth block alone',
  skill: 'skill file',
};

/** The way to a member: names, and positions in lists. */
export type MemberPath = readonly (string | number)[];

/** A discovery document as it was read. */
export interface LintDocument {
  readonly kind: DocumentKind;
  /** As findings name it: a path below the folder, or a URL. */
  readonly name: string;
  /** The file that holds it, from the working folder; `undefined` for one from the network. */
  readonly file: string | undefined;
  /** Where it counts as served; `undefined` while nothing says so. */
  readonly url: string | undefined;
  readonly text: string;
  /** `undefined` for what is no JSON, or cannot be used as such. */
  readonly json: JsonObject | undefined;
}

/** A place in a document. */
export interface Place {
  readonly document: string;
  readonly path: MemberPath;
}

/** JSON pointer (RFC 6901 §3). */
export function pointerOf(path: MemberPath): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The same for people: `agent_auth.identity_types_supported[0]`. */
export function shownPath(path: MemberPath): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  );
}

/** What a document is by its members; `undefined` where they are those of something else. */
export function kindOf(json: JsonObject): DocumentKind | undefined {
  if ('issuer' in json) return 'server';
  if ('resource' in json || 'authorization_servers' in json) return 'resource';
  if ('agent_auth' in json) {
    return Object.keys(json).length === 1 ? 'block' : 'server';
  }
  if (SERVER_MEMBERS.some((name) => name in json)) return 'server';
  if (BLOCK_MEMBERS.some((name) => name in json)) return 'block';
  return undefined;
}

const SERVER_MEMBERS = ['token_endpoint', 'authorization_endpoint', 'grant_types_supported'];
const BLOCK_MEMBERS = ['identity_endpoint', 'register_uri', 'identity_types_supported'];
