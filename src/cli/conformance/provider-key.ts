import { statSync } from 'node:fs';
import type { TestKey } from '../../conformance/jwt/key.ts';
import { readKey } from '../../conformance/jwt/read-key.ts';
import { usageError } from '../shell/cli-error.ts';
import { commandLine } from '../shell/next.ts';
import { readNamedFile, unreadable } from '../shell/read-named-file.ts';

/** Windows has no such modes. */
const hasModes = process.getuid !== undefined;

/** The file of `--provider-key`. @throws CliError (usage) when it is no key, or others can read it. */
export async function readProviderKey(path: string, signal: AbortSignal): Promise<TestKey> {
  try {
    // A pipe has no mode that protects it.
    const about = statSync(path);
    if (hasModes && about.isFile() && (about.mode & 0o077) !== 0) {
      throw usageError(`The file ${path} of --provider-key is readable by others.`, {
        code: 'file_open_to_others',
        next: commandLine('chmod', '600', path),
      });
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadable(path, error);
    throw error;
  }
  const text = (await readNamedFile(path, signal)).toString('utf8');
  try {
    return readKey(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw usageError(`The file ${path} of --provider-key cannot be used: ${why}.`, {
      code: 'bad_key',
    });
  }
}
