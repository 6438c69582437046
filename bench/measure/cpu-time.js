import { readFileSync } from 'node:fs';

/** What Linux counts CPU time in (USER_HZ), in microseconds. */
const TICK = 10_000;

/**
 * How long these processes have computed so far, all threads of them, in microseconds. `undefined` where the
 * system does not say.
 * @param {readonly number[]} pids
 */
export function cpuTime(pids) {
  try {
    return pids.reduce((total, pid) => total + ticksOf(pid), 0) * TICK;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function ticksOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // proc(5): the name, in brackets, may hold anything; utime and stime are fields 14 and 15.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
