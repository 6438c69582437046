import { connect } from 'node:net';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';

/** Between two looks whether the target listens again. Milliseconds. */
const PAUSE = 100;
/** Before another connection is kept, where a server closes each at once: no process starts in so little. Milliseconds. */
const BREATH = 10;

/**
 * Judges a target, and again each time that it has restarted. It ends by Ctrl-C alone: a target that is not there,
 * or that cannot be judged as it is, is told of, and the next one is judged.
 */
export async function judgeAfterRestarts(
  context: Context,
  target: string,
  judge: () => Promise<Outcome>,
): Promise<Outcome> {
  const { output } = context;
  const { signal } = context.interrupt;
  for (;;) {
    try {
      await judge();
    } catch (error) {
      const isOfTarget = error instanceof CliError && ['failed', 'network'].includes(error.outcome);
      if (!isOfTarget || signal.aborted) throw error;
      output.warn(error.message);
    }
    output.say(`Judging again when ${target} has restarted; Ctrl-C ends.`);
    await untilRestarted(context, target);
  }
}

/**
 * Resolves when nothing listened any more, and something does again. One idle connection is kept, which ends with the
 * process: a short absence is not overlooked, and the target's log stays empty.
 */
async function untilRestarted({ interrupt, world }: Context, target: string): Promise<void> {
  const { signal } = interrupt;
  while ((await held(target, signal)) === 'ended') {
    // Closed by a server that goes on: it takes the next one.
    await world.sleep(BREATH, signal);
  }
  while ((await held(target, signal, 0)) === 'refused') await world.sleep(PAUSE, signal);
}

/** @param hold How long the connection is kept, in milliseconds. Default: until the other side ends it. */
function held(target: string, signal: AbortSignal, hold?: number): Promise<'refused' | 'ended'> {
  signal.throwIfAborted();
  const { hostname, port, protocol } = new URL(target);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      signal,
    });
    let isTaken = false;
    socket.once('connect', () => {
      isTaken = true;
      if (hold !== undefined) socket.destroy();
    });
    socket.resume().on('error', () => {});
    socket.once('close', () => {
      if (signal.aborted) reject(signal.reason);
      else resolve(isTaken ? 'ended' : 'refused');
    });
  });
}
