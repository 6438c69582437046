import { isMap, isPair, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { MemberPath } from '../../discovery/document.ts';
import type { Finding, LintDocument } from './finding.ts';

/** A text with the position of everything in it. */
interface Located {
  readonly root: Node;
  readonly lines: LineCounter;
}

/** The lines of documents that several findings are about. */
const known = new WeakMap<LintDocument, Located | 'unreadable'>();

/** The line of a finding: that of its member, or of what is around it. `undefined` for none in a JSON text. */
export function lineOf(
  { document, path }: Finding,
  documents: readonly LintDocument[],
): number | undefined {
  const its = documents.find(({ name }) => name === document);
  if (its?.json === undefined) return undefined;
  const located = known.get(its) ?? locate(its.text);
  known.set(its, located);
  return located === 'unreadable' ? undefined : findLine(located, path);
}

function locate(text: string): Located | 'unreadable' {
  const lines = new LineCounter();
  // JSON is a subset of YAML, whose parser keeps positions. A name that stands twice is found at its first place.
  const { contents, errors } = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return errors.length > 0 || contents === null ? 'unreadable' : { root: contents, lines };
}

/** The line, from 1, on which a member stands; of one that is not there, that of the nearest one around it. */
function findLine({ root, lines }: Located, path: MemberPath): number {
  let offset = root.range?.[0] ?? 0;
  let node: Node | null = root;
  for (const part of path) {
    const found: Node | Pair | undefined = childOf(node, part);
    if (found === undefined) break;
    const key = isPair(found) ? (found.key as Node) : found;
    offset = key.range?.[0] ?? offset;
    node = isPair(found) ? (found.value as Node | null) : found;
  }
  return lines.linePos(offset).line;
}

function childOf(node: Node | null, part: string | number): Node | Pair | undefined {
  if (isSeq(node)) return node.items[Number(part)] as Node | undefined;
  if (!isMap(node)) return undefined;
  return node.items.find(({ key }) => (key as { readonly value?: unknown }).value === part);
}
