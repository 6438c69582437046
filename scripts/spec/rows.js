import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * A row of a table of the specification.
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} source document / heading
 * @property {string} row what it asks for
 * @property {string} [file] the source file that does it
 * @property {Removal} [remove] what the ablation takes away
 * @property {'later'} [issue] not built yet
 */

/**
 * A change to one source file: `find`, which occurs exactly once, becomes `replace`.
 *
 * @typedef {object} Removal
 * @property {string} file
 * @property {string} find
 * @property {string} [replace] nothing, if left out
 */

const ROW_ID = /^(AR|SD)-[A-Z]+-\d+$/;
const MEMBERS = new Set(['id', 'source', 'row', 'file', 'remove', 'issue']);

/** Where a project keeps its rows. @param {string} root */
export function rowsFile(root) {
  return join(root, 'fixtures/spec-rows.yaml');
}

/**
 * The rows of a project, in the order of the specification. Throws on a malformed list.
 *
 * @param {string} root
 * @returns {Row[]}
 */
export function readRows(root) {
  /** @type {unknown} */
  const rows = parse(readFileSync(rowsFile(root), 'utf8'));
  if (!Array.isArray(rows)) throw new Error('spec-rows.yaml is not a list');
  const seen = new Set();
  for (const row of rows) {
    if (!ROW_ID.test(row.id)) throw new Error(`${row.id} is no row id`);
    if (seen.has(row.id)) throw new Error(`${row.id} occurs twice`);
    seen.add(row.id);
    const strange = Object.keys(row).filter((member) => !MEMBERS.has(member));
    if (strange.length > 0) throw new Error(`${row.id} has unknown members: ${strange.join(', ')}`);
    if (!row.source || !row.row) throw new Error(`${row.id} needs source and row`);
    if (row.issue !== undefined && row.issue !== 'later') {
      throw new Error(`${row.id}: issue is 'later' or absent`);
    }
  }
  return rows;
}

/**
 * Applies a removal to the text of its file. Throws unless `find` occurs exactly once.
 *
 * @param {Removal} removal
 * @param {string} text
 */
export function removeFrom(removal, text) {
  const parts = text.split(removal.find);
  if (parts.length !== 2) {
    throw new Error(`${removal.file}: found ${parts.length - 1} times, not once: ${removal.find}`);
  }
  return parts.join(removal.replace ?? '');
}

/**
 * Why a removal cannot be applied to the sources under `root`, or `undefined`.
 *
 * @param {string} root
 * @param {Removal} removal
 */
export function problemOf(root, removal) {
  const path = join(root, removal.file);
  if (!existsSync(path)) return `${removal.file} does not exist`;
  const text = readFileSync(path, 'utf8');
  try {
    return removeFrom(removal, text) === text ? `${removal.file}: nothing would change` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
