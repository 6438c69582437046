import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isThere, pinned } from './machine.js';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** What to do where it is missing. */
export const WRK_MISSING = 'The bench needs wrk. Debian and Ubuntu: apt-get install wrk\n';

/**
 * What one server is sent, over and over.
 * @typedef {object} Load
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {string} [contentType]
 * @property {string} [authorization]
 * @property {string} [bodies] the file of bodies, one a line
 * @property {'ok' | 'pending'} answers
 * @property {number} size of an answer's body, in bytes
 */

/**
 * What came of it.
 * @typedef {object} Outcome
 * @property {number} rate answers a second
 * @property {number} answers
 * @property {number} errors answers that are not what was asked for, and requests without one
 */

/**
 * @typedef {object} Shot
 * @property {string} origin
 * @property {Load} load
 * @property {number} connections
 * @property {number} seconds
 * @property {number | undefined} core
 */

export function isWrkThere() {
  return isThere('wrk');
}

/** @param {Shot} shot @returns {Promise<Outcome>} */
export async function runWrk({ origin, load, connections, seconds, core }) {
  const [program, args] = pinned(core, [
    'wrk',
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'],
    ...['-s', SCRIPT, origin + load.path, '--', load.method],
    ...[load.contentType ?? '', load.authorization ?? '', load.answers],
    load.bodies ?? '',
  ]);
  return readWrk(await output(program, args), load.answers);
}

/**
 * @param {string} text what wrk printed; the script's line of JSON is in it
 * @param {Load['answers']} answers
 * @returns {Outcome}
 */
export function readWrk(text, answers) {
  const line = text.split('\n').find((each) => each.startsWith('{"requests":'));
  if (line === undefined) throw new Error(`wrk printed no result:\n${text}`);
  /** @type {Record<string, number>} */
  const counted = JSON.parse(line);
  const { requests = 0, microseconds = 0, refused = 0, wrong = 0, broken = 0 } = counted;
  const unwanted = answers === 'pending' ? wrong : refused;
  return {
    rate: microseconds === 0 ? 0 : (requests * 1_000_000) / microseconds,
    answers: requests,
    errors: unwanted + broken,
  };
}

/** @param {string} program @param {string[]} args @returns {Promise<string>} */
function output(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`wrk ended with ${code}:\n${text}`));
    });
  });
}
