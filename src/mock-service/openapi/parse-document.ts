import {
  type Document,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument as parseYaml,
  visit,
} from 'yaml';
import { isJsonObject, type JsonObject } from '../../protocol/index.ts';

/** Bytes. */
const LARGEST = 8 * 1024 * 1024;
const MOST_VALUES = 1_000_000;
/** Of a YAML text, which takes some hundred bytes of memory for each. */
const MOST_TOKENS = 2_000_000;
const DEEPEST = 200;
const TOO_DEEP = 'it is nested too deeply';
/** How often aliases may be followed; more is a file that expands without bound. */
const MOST_ALIASES = 1_000;

/**
 * A JSON or YAML text as plain data.
 * @throws TypeError that says what is wrong, and in which line where that is known.
 */
export function parseDocument(text: string): JsonObject {
  if (new TextEncoder().encode(text).length > LARGEST) {
    throw new TypeError(`it is larger than ${LARGEST / 1024 / 1024} MiB`);
  }
  const value = /^\s*\{/.test(text) ? (readJson(text) ?? readYaml(text)) : readYaml(text);
  if (!isJsonObject(value)) throw new TypeError('it is no object');
  checkExtent(value);
  return value;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // YAML that begins with a brace, or a mistake that is found there with its line.
    return undefined;
  }
}

function readYaml(text: string): unknown {
  let tokens = 0;
  for (const _token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > MOST_TOKENS) throw new TypeError(`it has more than ${MOST_TOKENS} YAML tokens`);
  }
  const lines = new LineCounter();
  try {
    // Its own search for duplicates takes a time that grows with the square of the keys.
    const document = parseYaml(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      // `<<` of YAML 1.1: an operation may take its security from there.
      merge: true,
    });
    const [mistake] = [...document.errors, ...document.warnings];
    if (mistake !== undefined) {
      if (/call stack/i.test(mistake.message)) throw new TypeError(TOO_DEEP);
      throw new TypeError(`line ${lines.linePos(mistake.pos[0]).line}: ${mistake.message}`);
    }
    const repeated = repeatedKey(document);
    if (repeated !== undefined) {
      const { line } = lines.linePos(repeated.at);
      throw new TypeError(`line ${line}: the key ${JSON.stringify(repeated.key)} is there twice`);
    }
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (error instanceof TypeError) throw error;
    if (error instanceof ReferenceError) throw new TypeError('it has too many aliases');
    // A stack overflow: brackets nested without end.
    throw new TypeError(TOO_DEEP);
  }
}

function repeatedKey(document: Document): { key: string; at: number } | undefined {
  let found: { key: string; at: number } | undefined;
  visit(document, {
    Map: (_key, node) => {
      const keys = new Set<string>();
      for (const { key } of isMap(node) ? node.items : []) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (keys.has(name)) {
          found = { key: name.slice(0, 60), at: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        keys.add(name);
      }
      return undefined;
    },
  });
  return found;
}

/** Depth and number of values, each counted once however often it is used. */
function checkExtent(root: JsonObject): void {
  const seen = new Set<object>([root]);
  let level: readonly object[] = [root];
  let count = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw new TypeError(TOO_DEEP);
    const next: object[] = [];
    for (const value of level) {
      for (const member of Object.values(value) as readonly unknown[]) {
        count += 1;
        if (count > MOST_VALUES) throw new TypeError(`it has more than ${MOST_VALUES} values`);
        if (typeof member !== 'object' || member === null || seen.has(member)) continue;
        seen.add(member);
        next.push(member);
      }
    }
    level = next;
  }
}
