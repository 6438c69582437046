import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `npm publish` would send, as it lies here: nothing is built, nothing written.
 * @returns {{ size: number, files: ReadonlyMap<string, Uint8Array> }} how many bytes it is, packed, and what is in it, by
 *   path from the root of the package
 */
export function packed(/** @type {string} */ root) {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  /** @type {[{ size: number, files: readonly { path: string }[] }]} */
  const [{ size, files }] = JSON.parse(printed);
  return { size, files: new Map(files.map(({ path }) => [path, readFileSync(join(root, path))])) };
}
