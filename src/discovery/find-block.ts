import { isJsonObject, type JsonObject } from '../protocol/index.ts';
import type { DocumentName } from './model.ts';
import { memberOf, objectOf, textOf } from './read.ts';

/** The documents, and the block in them that describes the registration. */
export interface Found {
  readonly server: JsonObject;
  readonly resource: JsonObject;
  /** `undefined` where no document has one. */
  readonly block: JsonObject | undefined;
  /** Which document has it, and under which name; `''` for the document itself. */
  readonly document: DocumentName;
  readonly at: 'agent_auth' | '';
  /** What stands in place of the block, where that is no object. */
  readonly instead: unknown;
  /** The server metadata is a whole document, so that what is missing in it is missing. */
  readonly isWhole: boolean;
  /** Why a document that is there cannot be read: `a text`, `a list`. */
  readonly unread: string | undefined;
  /** Where a URL without a host belongs. */
  readonly base: string | undefined;
  /** Where the document was asked for. */
  readonly askedAt: string | undefined;
}

/** By which a document is told for the block itself. `registration_endpoint` is RFC 7591's there. */
const OWN_NAMES = ['identity_endpoint', 'register_uri', 'claim_endpoint', 'claim_uri'];

/** The block of the server's metadata, else of the resource's; else a document that is one. */
export function findBlock(documents: {
  readonly server?: unknown;
  readonly resource?: unknown;
  readonly at?: string | undefined;
}): Found {
  const server = objectOf(documents.server);
  const resource = objectOf(documents.resource);
  const whole = {
    server,
    resource,
    isWhole: WHOLE.some((name) => Object.hasOwn(server, name)),
    unread: whyUnread(documents.server) ?? whyUnread(documents.resource),
    base:
      textOf(memberOf(server, 'issuer')) ?? documents.at ?? textOf(memberOf(resource, 'resource')),
    askedAt: documents.at,
  };
  const named = [
    { document: 'server', object: server },
    { document: 'resource', object: resource },
  ] as const;
  for (const { document, object } of named) {
    const block = memberOf(object, 'agent_auth');
    if (isJsonObject(block)) {
      return { ...whole, block, document, at: 'agent_auth', instead: undefined };
    }
  }
  for (const { document, object } of named) {
    const instead = memberOf(object, 'agent_auth');
    if (OWN_NAMES.some((name) => textOf(memberOf(object, name)) !== undefined)) {
      return { ...whole, block: object, document, at: '', instead };
    }
    if (instead !== undefined && instead !== null) {
      return { ...whole, block: undefined, document, at: 'agent_auth', instead };
    }
  }
  return { ...whole, block: undefined, document: 'server', at: '', instead: undefined };
}

function whyUnread(document: unknown): string | undefined {
  if (document === undefined || isJsonObject(document)) return undefined;
  if (Array.isArray(document)) return 'a list';
  return typeof document === 'string' ? 'a text' : String(document).slice(0, 20);
}

/** Members that an authorization server's metadata has, and a fragment has not. */
const WHOLE = ['issuer', 'token_endpoint', 'authorization_endpoint', 'grant_types_supported'];

/** A member of the block, as it is named in its document. */
export function inBlock({ at }: Found, member: string): string {
  return at === '' ? member : `${at}.${member}`;
}
