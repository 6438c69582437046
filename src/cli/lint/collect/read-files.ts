import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SKILL_LIMIT } from '../../../agent/discovery/explain-failure.ts';
import { ANSWER_LIMIT } from '../../../agent/http/answer.ts';
import { type DocumentKind, kindOf } from '../../../discovery/document.ts';
import { displayText } from '../../../protocol/text.ts';
import {
  authorizationServerMetadataUrls,
  parsedUrl,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../../protocol/urls.ts';
import { systemReason } from '../../shell/system-reason.ts';
import type { Collected, LintDocument, Report } from '../finding.ts';
import { findCandidates, listFiles } from './list-files.ts';
import { isTrouble, readJson, reportSize } from './read-text.ts';

/**
 * The discovery documents of a static site. Nothing outside the folder is read.
 * @param shown the folder as reports name it.
 * @param base where the site is served; otherwise each document is taken to lie where it says.
 */
export function readFolder(
  folder: string,
  shown: string,
  base: string | undefined,
  report: Report,
): Collected {
  const root = realpathSync(folder);
  const { files, outside, isCut } = listFiles(root);
  for (const { file } of findCandidates(outside)) {
    const message = 'This link leads out of the folder, or nowhere: it is not followed.';
    report('file-outside', file, message, 'Put the file itself there.');
  }
  if (isCut) {
    const message = 'The folder has more files, or deeper folders, than are looked at.';
    report('folder-too-large', undefined, message, 'Name the folder that is published.');
  }
  const documents = findCandidates(files).flatMap(({ file: name, path, kind }) => {
    const about = { kind, name, file: join(shown, name) };
    const document = readDocument(join(root, name), about, report);
    return document === undefined ? [] : [{ ...document, url: servedAt(document, path, base) }];
  });
  if (documents.length === 0) {
    const instead = 'Put the metadata into .well-known/oauth-authorization-server.';
    const message = 'The folder has no discovery document.';
    report('server-metadata-missing', undefined, message, instead);
  }
  return collected(documents);
}

/** A single document. What it is, its members say; where it is served, `base` alone. */
export function readOneFile(
  name: string,
  file: string,
  base: string | undefined,
  report: Report,
): Collected {
  const isSkill = /\.(?:md|markdown)$/i.test(name);
  const about = { kind: isSkill ? 'skill' : 'server', name, file } as const;
  const document = readDocument(name, about, report);
  if (document === undefined) return collected([]);
  const kind = document.json === undefined ? document.kind : kindOf(document.json);
  if (kind === 'client') reportSize(report, name, document.text);
  if (kind === undefined) {
    const message = `${displayText(name)} has no member of a discovery document.`;
    report('agent-auth-missing', name, message);
  }
  const url = base === undefined ? undefined : placeOf(kind ?? 'server', base);
  return collected([{ ...document, kind: kind ?? 'server', url }]);
}

function collected(documents: readonly LintDocument[]): Collected {
  const looked = documents.map(({ name, kind: learnt }) => ({ name, status: undefined, learnt }));
  return { documents, looked };
}

/** A file as a document; `undefined`, with a finding, where it cannot be read. */
function readDocument(
  path: string,
  about: Pick<LintDocument, 'kind' | 'name' | 'file'>,
  report: Report,
): LintDocument | undefined {
  const { kind, name } = about;
  const limit = kind === 'skill' ? SKILL_LIMIT : ANSWER_LIMIT;
  let given: string;
  try {
    const bytes = readFile(path, limit);
    if (bytes === undefined) {
      const message = `It is larger than ${limit / 1024} KiB, which agents do not read.`;
      report('document-too-large', name, message);
      return undefined;
    }
    given = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) report('document-not-utf8', name, 'It is not UTF-8.');
    else report('file-unreadable', name, `It cannot be read: ${systemReason(error)}.`);
    return undefined;
  }
  const text = kind === 'skill' ? given : given.replace(/^\uFEFF/, '');
  if (text !== given) report('byte-order-mark', name, 'It begins with a byte order mark.');
  const json = kind === 'skill' ? undefined : readJson(text);
  if (json !== undefined && isTrouble(json)) report(json[0], name, json[1]);
  return {
    ...about,
    url: undefined,
    text: given,
    json: json && !isTrouble(json) ? json : undefined,
  };
}

/** A regular file of at most `limit` bytes. */
function readFile(path: string, limit: number): Buffer | undefined {
  // Without O_NONBLOCK a pipe that took the file's place would be waited for.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    return stats.isFile() && stats.size <= limit ? readFileSync(handle) : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Below `base`, else on the origin that the document itself names. */
function servedAt(
  { kind, json }: Pick<LintDocument, 'kind' | 'json'>,
  path: string,
  base: string | undefined,
): string | undefined {
  if (base !== undefined) return withoutFinalSlash(base) + path;
  const named = json?.[kind === 'resource' ? 'resource' : 'issuer'];
  const origin = typeof named === 'string' ? parsedUrl(named)?.origin : undefined;
  // A final slash at the root is part of the identifier, and not of the place (RFC 9728 §3.1).
  if (origin === undefined || (kind === 'resource' && named === `${origin}/`)) return undefined;
  return origin + path;
}

function placeOf(kind: DocumentKind, base: string): string | undefined {
  if (kind === 'skill') return `${withoutFinalSlash(base)}/auth.md`;
  // A client has no place but the URL that it is known by.
  if (kind === 'client') return base;
  if (kind === 'resource') return protectedResourceMetadataUrl(base);
  return authorizationServerMetadataUrls(base)[0];
}
