import type { Streams } from '../terminal/streams.ts';
import { type Ending, exitCode } from './exit-codes.ts';
import type { OutputOptions } from './output-options.ts';

/**
 * Waits until everything is written. Output that was lost, as on a full disk, is reported once, and has one exit
 * code at every command: what another code sends its reader to is not there. Where only stderr is lost, a
 * failure keeps its own.
 */
export async function flushOutput(
  ending: Ending,
  streams: Streams,
  form: OutputOptions,
): Promise<Ending> {
  const { stdout, stderr } = await streams.flush();
  if (stdout !== undefined && stderr === undefined) {
    // Loaded when first needed: this is seldom.
    const { reportLostOutput } = await import('./lost-output.ts');
    reportLostOutput(stdout, streams, form);
    await streams.flush();
  }
  if (stdout !== undefined) return 'failed';
  return stderr !== undefined && exitCode(ending) === 0 ? 'failed' : ending;
}
