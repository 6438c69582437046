import type { DocumentKind } from '../../../discovery/document.ts';
import { systemReason } from '../../shell/system-reason.ts';
import type { Report } from '../finding.ts';
import type { LintDocument } from '../lint-document.ts';
import { DOCUMENT_LIMIT, SKILL_LIMIT } from './limits.ts';
import { readFile } from './read-file.ts';
import { readJson } from './read-json.ts';

/** The text of a file of one's own; `undefined`, with a finding, where it cannot be used. */
export function readOwn(
  path: string,
  name: string,
  kind: DocumentKind,
  report: Report,
): string | undefined {
  const limit = kind === 'skill' ? SKILL_LIMIT : DOCUMENT_LIMIT;
  try {
    const read = readFile(path, limit);
    if (read.ok) return read.text;
    const isLarge = read.problem === 'too_large';
    report({
      rule: isLarge ? 'document-too-large' : 'document-not-utf8',
      document: name,
      message: isLarge
        ? `It is larger than ${limit / 1024} KiB, which agents do not read.`
        : 'It is not UTF-8.',
    });
  } catch (error) {
    report({
      rule: 'file-unreadable',
      document: name,
      message: `It cannot be read: ${systemReason(error)}.`,
    });
  }
  return undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** A text as a document; what is no JSON, but should be, is reported. */
export function toDocument(
  text: string,
  about: { readonly kind: DocumentKind; readonly name: string; readonly file: string | undefined },
  report: Report,
): Omit<LintDocument, 'url'> {
  if (about.kind === 'skill') return { ...about, text, json: undefined };
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const message = 'It begins with a byte order mark.';
    report({ rule: 'byte-order-mark', document: about.name, message });
  }
  const read = readJson(text.replace(BYTE_ORDER_MARK, ''));
  if (read.ok) return { ...about, text, json: read.json };
  report({
    rule: read.isPage ? 'html-for-json' : 'not-json',
    document: about.name,
    message: `It ${read.problem}.`,
  });
  return { ...about, text, json: undefined };
}
