import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { withoutFinalSlash } from '../../../protocol/urls.ts';
import type { Report } from '../finding.ts';
import type { LintDocument } from '../lint-document.ts';
import type { Collected } from './collected.ts';
import { listFiles } from './list-files.ts';
import { readOwn, toDocument } from './own-document.ts';
import { findCandidates } from './site.ts';

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
    report({
      rule: 'file-outside',
      document: file,
      message: 'This link leads out of the folder, or nowhere: it is not followed.',
      instead: 'Put the file itself there.',
    });
  }
  if (isCut) {
    report({
      rule: 'folder-too-large',
      document: undefined,
      message: 'The folder has more files, or deeper folders, than are looked at.',
      instead: 'Name the folder that is published.',
    });
  }
  const documents = findCandidates(files).flatMap(({ file, path, kind }) => {
    const text = readOwn(join(root, file), file, kind, report);
    if (text === undefined) return [];
    const document = toDocument(text, { kind, name: file, file: join(shown, file) }, report);
    return [{ ...document, url: servedAt(document, path, base) }];
  });
  if (documents.length === 0) {
    report({
      rule: 'server-metadata-missing',
      document: undefined,
      message: 'The folder has no discovery document.',
      instead: 'Put the metadata into .well-known/oauth-authorization-server.',
    });
  }
  return {
    documents,
    looked: documents.map(({ name, kind }) => ({ name, status: undefined, learnt: kind })),
  };
}

/** Below `base`, else on the origin that the document itself names. */
function servedAt(
  { kind, json }: Pick<LintDocument, 'kind' | 'json'>,
  path: string,
  base: string | undefined,
): string | undefined {
  if (base !== undefined) return withoutFinalSlash(base) + path;
  const named = json?.[kind === 'resource' ? 'resource' : 'issuer'];
  if (typeof named !== 'string' || !URL.canParse(named)) return undefined;
  // A final slash at the root is part of the identifier, and not of the place (RFC 9728 §3.1).
  if (kind === 'resource' && named === `${new URL(named).origin}/`) return undefined;
  return new URL(named).origin + path;
}
