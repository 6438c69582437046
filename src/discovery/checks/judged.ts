import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import type { Report } from '../defect.ts';
import type { MemberPath } from '../document.ts';
import type { DocumentName, Documents } from '../model.ts';

export interface JsonDocument {
  readonly kind: 'server' | 'resource' | 'block';
  readonly name: DocumentName;
  /** Where it was found, where that is known. */
  readonly url: string | undefined;
  readonly json: JsonObject;
}

/** An `agent_auth` block and where it stands. */
export interface Block {
  readonly document: JsonDocument;
  readonly path: MemberPath;
  readonly members: JsonObject;
}

/** The documents by what they are. */
export interface Judged {
  readonly servers: readonly JsonDocument[];
  readonly resources: readonly JsonDocument[];
  readonly blocks: readonly Block[];
  /** All that could be read. */
  readonly all: readonly JsonDocument[];
}

/** Looks at documents and reports what it finds. */
export type Check = (judged: Judged, report: Report) => void;

export function sort(documents: Documents): Judged {
  const { server, resource, at, resourceAt, isBlock } = documents;
  const all: JsonDocument[] = [];
  if (isJsonObject(server)) {
    all.push({ kind: isBlock ? 'block' : 'server', name: 'server', url: at, json: server });
  }
  if (isJsonObject(resource)) {
    all.push({ kind: 'resource', name: 'resource', url: resourceAt, json: resource });
  }
  return {
    all,
    servers: all.filter(({ kind }) => kind === 'server'),
    // The specification publishes both documents as one.
    resources: all.filter(
      ({ kind, json }) => kind === 'resource' || 'authorization_servers' in json,
    ),
    blocks: all.flatMap(blockOf),
  };
}

function blockOf(document: JsonDocument): readonly Block[] {
  const { json, kind } = document;
  const members = json['agent_auth'];
  if (isJsonObject(members)) return [{ document, path: ['agent_auth'], members }];
  return kind === 'block' && members === undefined ? [{ document, path: [], members: json }] : [];
}

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOf(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
