import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from 'yaml';
import { displayText } from '../../../../protocol/text.ts';
import { nearest } from '../../../../runtime/nearest.ts';
import { type CliError, usageError } from '../../../shell/cli-error.ts';
import { readNamedFile } from '../../../shell/read-named-file.ts';
import { redactTyped } from '../../../shell/redact-url.ts';
import { CONFIG_SCHEMAS, type Config, type ConfigPart, commandsWith } from './config-schema.ts';

/** Bytes. */
const LIMIT = 256 * 1024;
const MOST_SHOWN = 20;

/**
 * The configuration file of a `mock` command.
 * @throws CliError (usage) with the line, the column and what was expected, for each mistake.
 */
export async function readConfigFile(
  path: string,
  part: ConfigPart,
  signal: AbortSignal,
): Promise<Config> {
  return readConfigText(await readText(path, signal), path, part);
}

/**
 * The same of a text.
 * @param path where it stands, for the messages
 * @throws CliError (usage) with the line, the column and what was expected, for each mistake.
 */
export function readConfigText(text: string, path: string, part: ConfigPart): Config {
  const parsed = parseYaml(text, /\.json$/i.test(path) ? 'JSON' : 'YAML');
  if (!parsed.ok) throw bad(path, parsed.mistakes);
  const result = CONFIG_SCHEMAS[part].safeParse(parsed.value);
  if (result.success) return result.data;
  throw bad(
    path,
    result.error.issues.flatMap((issue) => describe(issue, parsed, part)),
  );
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const bytes = await readNamedFile(path, signal, '--config');
  if (bytes.length > LIMIT) {
    throw usageError(`The file ${path} is larger than ${LIMIT / 1024} KiB.`, {
      code: 'bad_config',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`The file ${path} is not UTF-8 text.`, { code: 'bad_config' });
  }
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly input?: unknown;
}

function describe(issue: Issue, yaml: ParsedYaml, part: ConfigPart): ConfigMistake[] {
  const { path, message, keys } = issue;
  const { keyAt, value, valueAt } = yaml;
  if (issue.code === 'unrecognized_keys' && keys !== undefined) {
    return keys.map((key) => ({
      ...keyAt(path, key),
      message: unknownKey(key, path, message, part),
    }));
  }
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  const given = shown(path.reduce<unknown>(memberOf, value));
  const isAsked = message.startsWith('expected ');
  const not = given !== undefined && isAsked ? `, not ${given}` : '';
  return [{ ...valueAt(path), message: `${where}${message}${not}` }];
}

/** A text may stand for a list or a map: then it is the member, too. */
function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : value;
}

/** A scalar as it would be written; `undefined` for what is left out, or has members. */
function shown(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return JSON.stringify(redactTyped(value));
  }
  if (Array.isArray(value) && value.length === 0) return '[]';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** @param message `known keys: …` */
function unknownKey(
  key: string,
  path: readonly PropertyKey[],
  message: string,
  part: ConfigPart,
): string {
  const shown = JSON.stringify(displayText(key, 60));
  const [other] = path.length === 0 ? commandsWith(key) : [];
  if (other !== undefined) return `${shown} is for mock ${other}, not for mock ${part}`;
  const known = message.replace(/^known keys: /, '').split(', ');
  const near = nearest(key, known);
  return near === undefined
    ? `unknown key ${shown}; ${message}`
    : `unknown key ${shown}; did you mean ${near}?`;
}

function bad(path: string, mistakes: readonly ConfigMistake[]): CliError {
  const sorted = [...mistakes].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = sorted
    .slice(0, MOST_SHOWN)
    .map(({ line, column, message }) => `  ${path}:${line}:${column}  ${message}`);
  const count = sorted.length === 1 ? 'an error' : `${sorted.length} errors`;
  return usageError([`The configuration has ${count}:`, ...lines].join('\n'), {
    code: 'bad_config',
    details: { file: path, mistakes: sorted },
  });
}

/** Where something is in a file; both count from one. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface ConfigMistake extends Position {
  readonly message: string;
}

interface ParsedYaml {
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
/** How many lists and maps may be open at once: a configuration has a few in one another. */
const MOST_OPEN = 100;

/**
 * Reads YAML, and keeps where everything was. JSON is YAML, too.
 * @param format what the user takes the text for, in messages.
 */
function parseYaml(text: string, format: 'YAML' | 'JSON' = 'YAML'): YamlResult {
  if (isTooDeep(text)) {
    return {
      ok: false,
      mistakes: [{ ...START, message: `not ${format}: it is nested too deeply` }],
    };
  }
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const positionOf = (offset: number | undefined): Position => {
    const { line, col } = counter.linePos(offset ?? 0);
    return line === 0 ? START : { line, column: col };
  };
  const mistakes = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    ...positionOf(pos[0]),
    message: code === 'DUPLICATE_KEY' ? 'duplicate key' : `not ${format}: ${displayText(message)}`,
  }));
  mistakes.push(...brokenAliases(document, positionOf));
  if (mistakes.length > 0) return { ok: false, mistakes };
  try {
    return { ok: true, value: document.toJS() ?? {}, ...finders(document, positionOf) };
  } catch (error) {
    // `<<` of YAML 1.1 with something else than maps.
    const why = displayText(error instanceof Error ? error.message : String(error));
    return { ok: false, mistakes: [{ ...START, message: `not ${format}: ${why}` }] };
  }
}

/**
 * Whether to read it would take more of the stack than there may be. To catch the overflow is not enough: V8 ends the
 * process where a regular expression is compiled on the last of the stack.
 */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) {
      // What is open is what counts.
    }
    if (parser.stack.length > MOST_OPEN) return true;
  }
  return false;
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
