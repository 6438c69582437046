import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { displayText } from '../../../../protocol/text.ts';

/** Where something is in a file; both count from one. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface ConfigMistake extends Position {
  readonly message: string;
}

export interface ParsedYaml {
  /** Plain data; `{}` of an empty file. */
  readonly value: unknown;
  /** Where a value is, or the nearest thing around it. */
  readonly valueAt: (path: readonly PropertyKey[]) => Position;
  /** Where a key of the map at `path` is. */
  readonly keyAt: (path: readonly PropertyKey[], key: string) => Position;
}

type YamlResult =
  | ({ readonly ok: true } & ParsedYaml)
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

const START: Position = { line: 1, column: 1 };
/** A limit against files that expand without bound. */
const MOST_ALIASES = 100;

/**
 * Reads YAML, and keeps where everything was. JSON is YAML, too.
 * @param format what the user takes the text for, in messages.
 */
export function parseYaml(text: string, format: 'YAML' | 'JSON' = 'YAML'): YamlResult {
  const counter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
    const positionOf = (offset: number | undefined): Position => {
      const { line, col } = counter.linePos(offset ?? 0);
      return line === 0 ? START : { line, column: col };
    };
    const mistakes = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
      ...positionOf(pos[0]),
      message:
        code === 'DUPLICATE_KEY' ? 'duplicate key' : `not ${format}: ${displayText(message)}`,
    }));
    mistakes.push(...brokenAliases(document, positionOf));
    if (mistakes.length > 0) return { ok: false, mistakes };
    return { ok: true, value: document.toJS() ?? {}, ...finders(document, positionOf) };
  } catch {
    // A stack overflow: brackets nested without end.
    return {
      ok: false,
      mistakes: [{ ...START, message: `not ${format}: it is nested too deeply` }],
    };
  }
}

type PositionOf = (offset: number | undefined) => Position;

function brokenAliases(document: Document, positionOf: PositionOf): readonly ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  let first: Position | undefined;
  visit(document, {
    Alias: (_key, node, around) => {
      const at = positionOf(node.range?.[0]);
      first ??= at;
      const named = node.resolve(document);
      const anchor = `&${displayText(node.source, 60)}`;
      if (named === undefined) mistakes.push({ ...at, message: `there is no anchor ${anchor}` });
      else if (around.includes(named)) {
        mistakes.push({ ...at, message: `the alias stands within its own anchor ${anchor}` });
      }
    },
  });
  if (first === undefined || mistakes.length > 0) return mistakes;
  try {
    document.toJS({ maxAliasCount: MOST_ALIASES });
    return [];
  } catch {
    return [{ ...first, message: 'too many aliases' }];
  }
}

function finders(document: Document, positionOf: PositionOf) {
  const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const find = (path: readonly PropertyKey[]): Node | null => {
    let found: Node | null = document.contents;
    for (const step of path) {
      const inner = resolve(found);
      const next: unknown = isCollection(inner) ? inner.get(step, true) : undefined;
      if (!isNode(next)) break;
      found = next;
    }
    return found;
  };
  return {
    valueAt: (path: readonly PropertyKey[]) => positionOf(find(path)?.range?.[0]),
    keyAt: (path: readonly PropertyKey[], key: string) => {
      const at = resolve(find(path));
      const pair = isMap(at)
        ? at.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
        : undefined;
      return isScalar(pair?.key)
        ? positionOf(pair.key.range?.[0])
        : positionOf(find(path)?.range?.[0]);
    },
  };
}
