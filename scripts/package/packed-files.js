import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `npm publish` would send, as it lies here: nothing is built, nothing written.
 * @returns {ReadonlyMap<string, Uint8Array>} by path from the root of the package
 */
export function packedFiles(/** @type {string} */ root) {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  /** @type {readonly { files: readonly { path: string }[] }[]} */
  const [packed] = JSON.parse(printed);
  return new Map((packed?.files ?? []).map(({ path }) => [path, readFileSync(join(root, path))]));
}
