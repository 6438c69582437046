import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Transcript } from '../../../exchanges/index.ts';
import { readTranscript, TranscriptError } from '../../../exchanges/replay/read-transcript.ts';
import { displayText } from '../../../protocol/text.ts';
import { nearest } from '../../../runtime/nearest.ts';
import { type CliError, usageError } from '../../shell/cli-error.ts';
import { installedPage } from '../../shell/installed-page.ts';
import { readNamedFile } from '../../shell/read-named-file.ts';

/** The transcript of `--from`. @throws CliError (usage) when it cannot be read, or is none. */
export async function readTranscriptFile(file: string, signal: AbortSignal): Promise<Transcript> {
  const text = (await readNamedFile(placeOf(file), signal, '--from')).toString('utf8');
  try {
    return readTranscript(text);
  } catch (error) {
    throw noTranscript(file, error);
  }
}

/**
 * Where a file is: one of the package is named as programs import it, `agent-auth/transcripts/NAME.json`.
 * @throws CliError (usage) for one that the package does not have.
 */
function placeOf(file: string): string {
  const [, name] = /^agent-auth\/transcripts\/([\w-]+\.json)$/.exec(file) ?? [];
  if (name === undefined || existsSync(file)) return file;
  const own = installedPage(`dist/docs/transcripts/${name}`, process.cwd());
  if (existsSync(own)) return own;
  const near = nearest(name, readdirSync(dirname(own)));
  throw usageError(`agent-auth has no transcript ${name}.`, {
    code: 'file_unreadable',
    hint:
      (near === undefined ? '' : `Did you mean agent-auth/transcripts/${near}? `) +
      `All of them: ${dirname(own)}`,
  });
}

/** What is wrong with the file, where that is what an error says. */
export function noTranscript(file: string, error: unknown): CliError | unknown {
  if (!(error instanceof TranscriptError)) return error;
  return usageError(`${displayText(file, 300)} cannot be replayed. ${error.message}.`, {
    code: 'transcript_invalid',
    details: { path: error.path },
    hint: 'Write one with agent-auth mock exchanges --transcript FILE, or with agent-auth proxy --transcript FILE.',
    cause: error,
  });
}
