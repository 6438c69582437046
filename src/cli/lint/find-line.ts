import { isMap, isPair, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { LintDocument, MemberPath } from './document.ts';
import type { Finding } from './finding.ts';

/**
 * The line, from 1, on which a member of a JSON text stands; of one that is not there, that of the nearest one
 * around it. `undefined` for a text that cannot be read.
 */
export function findLine(text: string, path: MemberPath): number | undefined {
  const lineCounter = new LineCounter();
  // JSON is a subset of YAML, whose parser keeps positions. A name that stands twice is found at its first place.
  const { contents, errors } = parseDocument(text, {
    lineCounter,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  if (errors.length > 0 || contents === null) return undefined;
  let offset = contents.range?.[0] ?? 0;
  let node: Node | null = contents;
  for (const part of path) {
    const found: Node | Pair | undefined = childOf(node, part);
    if (found === undefined) break;
    const key = isPair(found) ? (found.key as Node) : found;
    offset = key.range?.[0] ?? offset;
    node = isPair(found) ? (found.value as Node | null) : found;
  }
  return lineCounter.linePos(offset).line;
}

function childOf(node: Node | null, part: string | number): Node | Pair | undefined {
  if (isSeq(node)) return node.items[Number(part)] as Node | undefined;
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => (key as { readonly value?: unknown }).value === part);
}

/** The line of a finding: that of its member, or of what is around it. */
export function lineOf(
  { document, path }: Finding,
  documents: readonly LintDocument[],
): number | undefined {
  const its = documents.find(({ name }) => name === document);
  return its?.json === undefined ? undefined : findLine(its.text, path);
}
