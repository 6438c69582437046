import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * The figures of each part, with when and where they were measured.
 * @typedef {Record<string, { date: string, machine: import('./measure/machine.js').Machine } & Record<string, any>>} Figures
 */

/** @param {string} file @returns {Figures} */
export function readFigures(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/**
 * Writes the figures of a part to a file, in place of older ones of the same part.
 *
 * @param {string} file
 * @param {string} part
 * @param {{ machine: import('./measure/machine.js').Machine }} figures
 */
export function addFigures(file, part, figures) {
  const all = { ...readFigures(file), [part]: { date: new Date().toISOString(), ...figures } };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
