import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, usageError } from './cli-error.ts';

/** @throws CliError (usage) when a file cannot be written where it is named. */
export function checkWritable(file: string): void {
  try {
    if (!statSync(dirname(file)).isDirectory()) throw new Error('no folder');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw usageError(`${file} cannot be written: its folder does not exist or is not writable.`, {
      code: 'file_unwritable',
      cause: error,
    });
  }
}

/** @throws CliError when it cannot be written after all. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CliError('failed', {
      code: 'file_unwritable',
      message: `${file} cannot be written.`,
      cause: error,
    });
  }
}
