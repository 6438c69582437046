import { displayText } from '../../../../protocol/text.ts';
import { nearest } from '../../../../runtime/nearest.ts';
import { type CliError, usageError } from '../../../shell/cli-error.ts';
import { readNamedFile } from '../../../shell/read-named-file.ts';
import { redactTyped } from '../../../shell/redact-url.ts';
import { CONFIG_SCHEMAS, type Config, type ConfigPart, commandsWith } from './config-schema.ts';
import { type ConfigMistake, type ParsedYaml, parseYaml } from './parse-yaml.ts';

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
    hint: 'The keys are listed in: agent-auth mock up --help.',
    details: { file: path, mistakes: sorted },
  });
}
