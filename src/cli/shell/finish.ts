import type { Streams } from '../terminal/streams.ts';
import { CliError } from './cli-error.ts';
import { type Ending, exitCode } from './exit-codes.ts';
import { Output, type OutputOptions } from './output.ts';
import { systemReason } from './system-reason.ts';

/**
 * Waits until everything is written. What did not arrive, because the disk is full say, is told once, and
 * nothing that went well counts as done without it.
 */
export async function finish(
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
    message: `The output could not be written to stdout: ${systemReason(error)}. What was done stays done.`,
    cause: error,
  });
}
