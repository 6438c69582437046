import { readFileSync } from 'node:fs';

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended stays in the list until its parent looks.
    return (
      process.platform !== 'linux' ||
      !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    );
  } catch {
    return false;
  }
}
