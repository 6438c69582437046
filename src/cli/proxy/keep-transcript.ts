import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type Exchange, transcript } from '../../exchanges/index.ts';
import { displayJson } from '../../protocol/text.ts';
import { systemReason } from '../shell/system-reason.ts';
import { unwritable } from '../shell/write-text.ts';

/**
 * Writes the exchanges to a file that is whole whenever it is there. Only this user may read it.
 * @throws CliError (usage) when it cannot be written.
 */
export function keepTranscript(file: string, exchanges: readonly Exchange[]): void {
  const text = `${displayJson(JSON.stringify(transcript(exchanges), null, 2))}\n`;
  const beside = `${file}.${randomUUID()}`;
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    // A device or a pipe is written to, and never replaced.
    if (there !== undefined && !there.isFile()) {
      writeFileSync(file, text);
      return;
    }
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw unwritable(file, systemReason(error), error);
  }
}
