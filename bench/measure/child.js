import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinned } from './machine.js';

/**
 * A server in a process of its own.
 * @typedef {object} Child
 * @property {string} origin
 * @property {number} pid
 * @property {() => Promise<void>} close
 */

/**
 * Starts one of `bench/servers`. It prints its origin as its first line, and ends with its input.
 *
 * @param {string} file in `bench/servers`
 * @param {object} settings what it is given, as JSON
 * @param {number | undefined} core
 * @returns {Promise<Child>}
 */
export async function startServer(file, settings, core) {
  const script = fileURLToPath(new URL(`../servers/${file}`, import.meta.url));
  const [program, args] = pinned(core, [process.execPath, script, JSON.stringify(settings)]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const origin = await Promise.race([
    firstLine(child.stdout),
    ended.then(([code]) => {
      throw new Error(`${file} ended with ${code} before it served.`);
    }),
  ]);
  return {
    origin,
    pid: child.pid ?? 0,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** @param {import('node:stream').Readable} stream @returns {Promise<string>} */
function firstLine(stream) {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
      const [line, rest] = text.split('\n');
      if (rest !== undefined && line !== undefined) resolve(line);
    });
  });
}
