import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import type { LintDocument, MemberPath } from '../document.ts';
import type { Report } from '../finding.ts';

export type JsonDocument = LintDocument & { readonly json: JsonObject };

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

export function sort(documents: readonly LintDocument[]): Judged {
  const all = documents.filter(hasJson);
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

function hasJson(document: LintDocument): document is JsonDocument {
  return document.json !== undefined;
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
