import type { Streams } from '../terminal/streams.ts';
import { CliError } from './cli-error.ts';
import { type Ending, exitCode } from './exit-codes.ts';
import { Output, type OutputOptions } from './output.ts';
import { systemReason } from './system-reason.ts';

/**
 * Waits until everything is written. Output that was lost, as on a full disk, is reported once; a command
 * whose output was lost is not done.
 */
export async function flushOutput(
  ending: Ending,
  streams: Streams,
  form: OutputOptions,
): Promise<Ending> {
  const { stdout, stderr } = await streams.flush();
  if (stdout !== undefined && stderr === undefined) {
    new Output(streams, form).failBeside(outputLost(stdout));
    await streams.flush();
  }
  const isLost = stdout !== undefined || stderr !== undefined;
  return isLost && exitCode(ending) === 0 ? 'failed' : ending;
}

function outputLost(error: Error): CliError {
  return new CliError('failed', {
    code: 'output_lost',
    message: `The output could not be written to stdout: ${systemReason(error)}. Changes already made remain.`,
    cause: error,
  });
}
