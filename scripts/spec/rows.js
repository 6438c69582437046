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
 *   What stands in backticks is what its tests must name, a status or an error code in what they expect: see `claims`.
 * @property {string} [file] the source file that does it
 * @property {string} [symbol] what in the file does it, where that is not what holds `remove.find`
 * @property {Removal} [remove] what the ablation takes away
 * @property {Deviation} [deviates] where the mock does something else
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

/**
 * A deviation from the specification. Its page is docs/deviations.md.
 *
 * @typedef {object} Deviation
 * @property {string} [says] what of the row's words in backticks the mock does not do
 * @property {string} does a sentence; what it puts in backticks is what the row's tests must name
 * @property {string} because
 */

const ROW_ID = /^(AR|SD)-[A-Z]+-\d+$/;
const MEMBERS = new Set(['id', 'source', 'row', 'file', 'symbol', 'remove', 'deviates', 'issue']);

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
    const { says, does, because } = row.deviates ?? { does: 'it', because: 'it' };
    if (!does || !because) throw new Error(`${row.id}: deviates needs does and because`);
    if (says !== undefined && !claims(row.row).includes(says)) {
      throw new Error(`${row.id}: it deviates from \`${says}\`, which the row does not say`);
    }
    if (row.issue === undefined && claims(row.row).length === 0) {
      throw new Error(`${row.id}: its row has nothing in backticks to compare its tests with`);
    }
    if (row.issue !== undefined && row.issue !== 'later') {
      throw new Error(`${row.id}: issue is 'later' or absent`);
    }
  }
  return rows;
}

/**
 * What stands in backticks: members, paths, codes, statuses.
 *
 * @param {string} sentence
 */
export function claims(sentence) {
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, claim = '']) => claim);
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
