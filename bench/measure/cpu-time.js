import { readFileSync } from 'node:fs';

/** What Linux counts CPU time in (USER_HZ), in microseconds. */
const TICK = 10_000;

/**
 * How long a process has computed so far, all threads of it, in microseconds. `undefined` where the system does
 * not say.
 * @param {number | undefined} pid
 */
export function cpuTime(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name, in brackets, may hold anything; utime and stime are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  } catch {
    return undefined;
  }
}
