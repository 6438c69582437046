import { closeSync, openSync, writeSync } from 'node:fs';

/** What is written at once. */
const CHUNK = 1_000;

/**
 * @param {string} file
 * @param {Iterable<string>} lines
 * @returns {string} the file
 */
export function writeLines(file, lines) {
  const handle = openSync(file, 'w');
  /** @type {string[]} */
  let waiting = [];
  const flush = () => {
    if (waiting.length > 0) writeSync(handle, `${waiting.join('\n')}\n`);
    waiting = [];
  };
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length === CHUNK) flush();
  }
  flush();
  closeSync(handle);
  return file;
}
