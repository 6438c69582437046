import type { Streams } from '../terminal/streams.ts';
import { CliError } from './cli-error.ts';
import { Output } from './output.ts';
import type { OutputOptions } from './output-options.ts';
import { systemReason } from './system-reason.ts';

/** Says on stderr that stdout took no more, and why. */
export function reportLostOutput(error: Error, streams: Streams, form: OutputOptions): void {
  new Output(streams, form).failBeside(
    new CliError('failed', {
      code: 'output_lost',
      message: `The output could not be written to stdout: ${systemReason(error)}. Changes already made remain.`,
      cause: error,
    }),
  );
}
