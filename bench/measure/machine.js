import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * Which core does what. `undefined`: the system decides.
 * @typedef {object} Cores
 * @property {number | undefined} server
 * @property {number | undefined} client
 * @property {string} description
 */

/** @returns {Cores} */
export function chooseCores() {
  const allowed = allowedCores();
  const [server] = allowed;
  const client = allowed.at(-1);
  if (server === undefined || client === undefined || server === client) {
    return unpinned('one core: server and client share it, so figures say little');
  }
  if (!isThere('taskset')) {
    return unpinned('not pinned: taskset is missing (Debian: apt-get install util-linux)');
  }
  return { server, client, description: `server on core ${server}, client on core ${client}` };
}

/** @param {string} description @returns {Cores} */
function unpinned(description) {
  return { server: undefined, client: undefined, description };
}

/**
 * A command that runs on one core.
 * @param {number | undefined} core
 * @param {readonly string[]} command
 * @returns {[string, string[]]} the program and its arguments
 */
export function pinned(core, [program = '', ...args]) {
  return core === undefined ? [program, args] : ['taskset', ['-c', String(core), program, ...args]];
}

/** @param {string} program */
export function isThere(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** @param {Cores} cores */
export function describeMachine({ description }) {
  const processor = cpus()[0]?.model.trim() ?? 'unknown';
  return `node ${process.version}, ${allowedCores().length} cores of ${processor}, ${description}`;
}

/** The numbers of the cores that this process may run on. */
function allowedCores() {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return readCoreList(/^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? '');
  } catch {
    return cpus().map((_cpu, core) => core);
  }
}

/**
 * @param {string} text as Linux lists them: `0-3,6`
 * @returns {number[]}
 */
export function readCoreList(text) {
  return text.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
