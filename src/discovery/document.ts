import { isDocumentUrl, type JsonObject } from '../protocol/index.ts';

/** What a document is: by the place that it lies at, else by its members. */
export type DocumentKind = 'server' | 'resource' | 'block' | 'skill' | 'client';

/** How the kinds are called in sentences. */
export const KIND_NAMES: Readonly<Record<DocumentKind, string>> = {
  server: 'authorization server metadata (RFC 8414)',
  resource: 'protected resource metadata (RFC 9728)',
  block: 'an agent_auth block alone',
  skill: 'skill file',
  client: 'the metadata document of a client',
};

/** The way to a member: names, and positions in lists. */
export type MemberPath = readonly (string | number)[];

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

/** `agent_auth.registration_methods[0].register_uri` as a path. */
export function pathOf(member: string): MemberPath {
  return [...member.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

/** What a document is by its members; `undefined` where they are those of something else. */
export function kindOf(json: JsonObject): DocumentKind | undefined {
  if ('issuer' in json) return 'server';
  if ('resource' in json || 'authorization_servers' in json) return 'resource';
  if ('agent_auth' in json) {
    return Object.keys(json).length === 1 ? 'block' : 'server';
  }
  if (isOfClient(json)) return 'client';
  if (SERVER_MEMBERS.some((name) => name in json)) return 'server';
  if (BLOCK_MEMBERS.some((name) => name in json)) return 'block';
  return undefined;
}

const SERVER_MEMBERS = ['token_endpoint', 'authorization_endpoint', 'grant_types_supported'];
const BLOCK_MEMBERS = ['identity_endpoint', 'register_uri', 'identity_types_supported'];

/** A client_id that is no URL stands in many an answer of an API. */
function isOfClient(json: JsonObject): boolean {
  const id = json['client_id'];
  if ('redirect_uris' in json || 'token_endpoint_auth_method' in json) return true;
  return typeof id === 'string' && isDocumentUrl(id);
}
