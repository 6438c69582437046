import { readFileSync, statSync } from 'node:fs';
import { displayText } from '../../../protocol/text.ts';
import { type CliError, usageError } from '../../cli-error.ts';
import { unreadable } from '../../unreadable-file.ts';
import { CONFIG_SCHEMAS, type Config, type ConfigPart, commandsWith } from './config-schema.ts';
import { nearest } from './nearest.ts';
import { type ConfigMistake, type ParsedYaml, parseYaml } from './parse-yaml.ts';

/** Bytes. */
const LIMIT = 256 * 1024;
const MOST_SHOWN = 20;

/**
 * The configuration file of a `mock` command.
 * @throws CliError (usage) with the line, the column and what was expected, for each mistake.
 */
export function readConfigFile(path: string, part: ConfigPart): Config {
  const parsed = parseYaml(readText(path));
  if (!parsed.ok) throw bad(path, parsed.mistakes);
  const result = CONFIG_SCHEMAS[part].safeParse(parsed.value);
  if (result.success) return result.data;
  throw bad(
    path,
    result.error.issues.flatMap((issue) => describe(issue, parsed, part)),
  );
}

function readText(path: string): string {
  try {
    if (statSync(path).size > LIMIT) {
      throw usageError(`The file ${path} is larger than ${LIMIT / 1024} KiB.`, {
        code: 'bad_config',
      });
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) {
      throw usageError(`The file ${path} is not UTF-8 text.`, { code: 'bad_config' });
    }
    throw error instanceof Error && 'outcome' in error ? error : unreadable(path, error);
  }
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly input?: unknown;
}

function describe(issue: Issue, { valueAt, keyAt }: ParsedYaml, part: ConfigPart): ConfigMistake[] {
  const { path, message, keys } = issue;
  if (issue.code === 'unrecognized_keys' && keys !== undefined) {
    return keys.map((key) => ({
      ...keyAt(path, key),
      message: unknownKey(key, path, message, part),
    }));
  }
  const where = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  return [{ ...valueAt(path), message: `${where}${message}` }];
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
    ? `there is no key ${shown} here; ${message}`
    : `there is no key ${shown} here; did you mean ${near}?`;
}

function bad(path: string, mistakes: readonly ConfigMistake[]): CliError {
  const sorted = [...mistakes].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = sorted
    .slice(0, MOST_SHOWN)
    .map(({ line, column, message }) => `  ${path}:${line}:${column}  ${message}`);
  const count = sorted.length === 1 ? 'is a mistake' : `are ${sorted.length} mistakes`;
  return usageError([`There ${count} in the configuration:`, ...lines].join('\n'), {
    code: 'bad_config',
    hint: 'What it may hold: agent-auth mock up --help.',
    details: { file: path, mistakes: sorted },
  });
}
