import { isJsonObject, type JsonObject } from '../protocol/index.ts';
import type { MemberPath } from './document.ts';
import type { DocumentName, Documents } from './model.ts';
import { TYPE_NAMES } from './names.ts';
import { memberOf, objectOf, textAt } from './read.ts';

/** An `agent_auth` block that is an object of its own. */
export interface Block {
  readonly document: DocumentName;
  /** The document that it stands in; itself where it was published alone. */
  readonly around: JsonObject;
  readonly path: MemberPath;
  readonly members: JsonObject;
}

/** A document that could be read. */
interface NamedDocument {
  readonly name: DocumentName;
  readonly json: JsonObject;
}

/** The documents, and the block in them that describes the registration. */
export interface Found {
  readonly server: JsonObject;
  readonly resource: JsonObject;
  /** The document of a client; `undefined` for none. */
  readonly client: JsonObject | undefined;
  /** The metadata of a server; `undefined` for none, and for a block alone. */
  readonly metadata: JsonObject | undefined;
  /** Metadata of a resource: the specification publishes that of its server as one with it. */
  readonly resources: readonly NamedDocument[];
  readonly all: readonly NamedDocument[];
  /** Every block; `block` is the one that is believed. */
  readonly blocks: readonly Block[];
  /** `undefined` where no document has one. */
  readonly block: JsonObject | undefined;
  /** Which document has it, and where; empty for the document itself. */
  readonly document: DocumentName;
  readonly path: readonly [] | readonly ['agent_auth'];
  /** What stands in place of the block, where that is no object. */
  readonly instead: unknown;
  /** The server metadata is a whole document, so that what is missing in it is missing. */
  readonly isWhole: boolean;
  /** Why a document that is there cannot be read: `a text`, `a list`. */
  readonly unread: string | undefined;
  /** Where a URL without a host belongs. */
  readonly base: string | undefined;
  /** Where the server's document was asked for, else the resource's, else the client's. */
  readonly at: string | undefined;
  /** Where the resource's document counts as served. */
  readonly resourceAt: string | undefined;
}

/** The names by which a document is told for the block itself. `registration_endpoint` is RFC 7591's there. */
const OWN_NAMES = ['identity_endpoint', 'register_uri', 'claim_endpoint', 'claim_uri'];

/** Members that an authorization server's metadata has, and a fragment has not. */
const WHOLE = ['issuer', 'token_endpoint', 'authorization_endpoint', 'grant_types_supported'];

/** The block of the server's metadata, else of the resource's; else a document that is one. */
export function findBlock(documents: Documents): Found {
  const server = objectOf(documents.server);
  const resource = objectOf(documents.resource);
  const client = isJsonObject(documents.client) ? documents.client : undefined;
  const { at, isBlock, resourceAt } = documents;
  const both = [
    { name: 'server', json: server },
    { name: 'resource', json: resource },
  ] as const;
  const all: readonly NamedDocument[] = [
    ...both.filter(({ name }) => isJsonObject(documents[name])),
    ...(client === undefined ? [] : [{ name: 'client', json: client } as const]),
  ];
  const documented = {
    ...{ server, resource, client, all, at, resourceAt },
    metadata: isBlock || !isJsonObject(documents.server) ? undefined : server,
    resources: all.filter(
      ({ name, json }) => name === 'resource' || 'authorization_servers' in json,
    ),
    blocks: all.flatMap(({ name, json }): readonly Block[] => {
      const members = json['agent_auth'];
      const common = { document: name, around: json };
      if (isJsonObject(members)) return [{ ...common, path: ['agent_auth'], members }];
      const isAlone = isBlock && name === 'server' && members === undefined;
      return isAlone ? [{ ...common, path: [], members: json }] : [];
    }),
    isWhole: WHOLE.some((name) => Object.hasOwn(server, name)),
    unread: whyUnread(documents.server) ?? whyUnread(documents.resource),
    base: textAt(server, 'issuer') ?? at ?? textAt(resource, 'resource'),
  };
  for (const { name: document, json } of both) {
    const block = memberOf(json, 'agent_auth');
    if (!isJsonObject(block)) continue;
    return { ...documented, block, document, path: ['agent_auth'], instead: undefined };
  }
  for (const { name: document, json } of both) {
    const instead = memberOf(json, 'agent_auth');
    if (OWN_NAMES.some((name) => textAt(json, name) !== undefined)) {
      return { ...documented, block: json, document, path: [], instead };
    }
    if (instead === undefined || instead === null) continue;
    return { ...documented, block: undefined, document, path: ['agent_auth'], instead };
  }
  return { ...documented, block: undefined, document: 'server', path: [], instead: undefined };
}

function whyUnread(document: unknown): string | undefined {
  if (document === undefined || isJsonObject(document)) return undefined;
  if (Array.isArray(document)) return 'a list';
  return typeof document === 'string' ? 'a text' : String(document).slice(0, 20);
}

/** A member of the block, as it is named in its document. */
export function inBlock({ path }: Pick<Found, 'path'>, member: string): string {
  return [...path, member].join('.');
}

/** What a block says of each type. */
export function typesIn(block: JsonObject): readonly (readonly [type: string, its: JsonObject])[] {
  return TYPE_NAMES.map((type) => [type, objectOf(memberOf(block, type))]);
}
