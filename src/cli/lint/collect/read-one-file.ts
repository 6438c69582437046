import { type DocumentKind, kindOf } from '../../../discovery/document.ts';
import { displayText } from '../../../protocol/text.ts';
import {
  authorizationServerMetadataUrls,
  protectedResourceMetadataUrl,
  withoutFinalSlash,
} from '../../../protocol/urls.ts';
import type { Report } from '../finding.ts';
import type { LintDocument } from '../lint-document.ts';
import type { Collected } from './collected.ts';
import { readOwn, toDocument } from './own-document.ts';

/** A single document. What it is, its members say; where it is served, `base` alone. */
export function readOneFile(
  path: string,
  file: string,
  base: string | undefined,
  report: Report,
): Collected {
  const isSkill = /\.(?:md|markdown)$/i.test(path);
  const text = readOwn(path, path, isSkill ? 'skill' : 'server', report);
  if (text === undefined) return { documents: [], looked: [] };
  const read = toDocument(text, { kind: isSkill ? 'skill' : 'server', name: path, file }, report);
  const kind = isSkill || read.json === undefined ? read.kind : kindOf(read.json);
  if (kind === undefined) {
    report({
      rule: 'agent-auth-missing',
      document: path,
      message: `${displayText(path)} has no member of a discovery document.`,
    });
  }
  const document: LintDocument = {
    ...read,
    kind: kind ?? 'server',
    url: base === undefined ? undefined : placeOf(kind ?? 'server', base),
  };
  return {
    documents: [document],
    looked: [{ name: path, status: undefined, learnt: document.kind }],
  };
}

function placeOf(kind: DocumentKind, base: string): string | undefined {
  if (kind === 'skill') return `${withoutFinalSlash(base)}/auth.md`;
  if (kind === 'resource') return protectedResourceMetadataUrl(base);
  return authorizationServerMetadataUrls(base)[0];
}
