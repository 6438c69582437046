// What the agent keeps, in a file that only its user can read.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Registration
 * @property {import('./discover.js').Service} service
 * @property {string} [assertion]
 * @property {string} [token] the access token
 * @property {string} [claimToken]
 * @property {import('./claim.js').Attempt} [attempt]
 */
/** @typedef {{ registrations: Record<string, Registration>, idTokens: Record<string, string> }} State */

const FOLDER = join(homedir(), '.sample-agent');
const FILE = join(FOLDER, 'state.json');

/** @returns {State} */
export function load() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return { registrations: {}, idTokens: {} };
  }
}

/** Replaces the file whole, so that it never follows a link. @param {State} state */
export function save(state) {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  const fresh = `${FILE}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(state), { mode: 0o600, flag: 'wx' });
  renameSync(fresh, FILE);
}
