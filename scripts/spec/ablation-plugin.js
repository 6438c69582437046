import { join, resolve } from 'node:path';
import { readRows, removeFrom } from './rows.js';

/** @import { Plugin } from 'vitest/config' */

/**
 * With SPEC_ABLATION=<row id>, tests see the sources without what the row's `remove` takes away.
 * The files on disk stay as they are. Without it, the plugin does nothing.
 *
 * @param {string} root of the project
 * @returns {Plugin}
 */
export function ablationFromEnvironment(root) {
  const id = process.env['SPEC_ABLATION'];
  if (id === undefined) return { name: 'spec-ablation' };
  const removal = readRows(root).find((row) => row.id === id)?.remove;
  if (removal === undefined) throw new Error(`${id} has nothing to remove`);
  const target = join(root, removal.file);
  return {
    name: 'spec-ablation',
    enforce: 'pre',
    transform(code, module) {
      const [path = ''] = module.split('?');
      return resolve(path) === target ? { code: removeFrom(removal, code), map: null } : undefined;
    },
  };
}
