import type { ChildProcess } from 'node:child_process';
import { startDeadline } from '../../runtime/index.ts';

/** What is written before the exit arrives within this time. Milliseconds. */
const FLUSH = 500;

/**
 * Stops reading the output of a command soon after its exit: whatever it left running may keep that open for
 * ever, and with it the event `close`.
 */
export function closeOutputAfterExit(child: ChildProcess): void {
  child.once('exit', () => {
    const late = startDeadline(FLUSH);
    const stop = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    late.signal.addEventListener('abort', stop, { once: true });
    child.once('close', () => late.end());
  });
}
