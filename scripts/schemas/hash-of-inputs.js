import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'scripts', 'docs/schemas', 'docs/schemas.md', 'docs/json.md'];

/**
 * Of all sources, scripts, versions and settings that the schemas are made of, and of what was published, by name and
 * content.
 *
 * @param {string} root of the project
 */
export function hashOfInputs(root) {
  const hash = createHash('sha256').update(process.version);
  const add = (/** @type {string} */ path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
      return;
    }
    const content = readFileSync(path);
    hash.update(`${path.slice(root.length)}\0${content.length}\0`).update(content);
  };
  const settings = readdirSync(root).filter((name) => /^tsconfig.*\.json$|^package/.test(name));
  // What is installed, which a lock file alone does not say.
  const installed = ['typescript-5.9', 'zod'].map((name) => `node_modules/${name}/package.json`);
  for (const path of [...settings.sort(), ...SOURCES, ...installed]) add(join(root, path));
  return hash.digest('hex');
}
