import type { Transcript } from '../../../exchanges/index.ts';
import { displayText } from '../../../protocol/text.ts';
import { readTranscript, TranscriptError } from '../../../replay/index.ts';
import { type CliError, usageError } from '../../shell/cli-error.ts';
import { readNamedFile } from '../../shell/read-named-file.ts';

/** The transcript of `--from`. @throws CliError (usage) when it cannot be read, or is none. */
export async function readTranscriptFile(file: string, signal: AbortSignal): Promise<Transcript> {
  const text = (await readNamedFile(file, signal, '--from')).toString('utf8');
  try {
    return readTranscript(text);
  } catch (error) {
    throw noTranscript(file, error);
  }
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
