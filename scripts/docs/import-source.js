import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Imports a TypeScript module of the project; Node 20 cannot. Bundled into .cache, from where its packages resolve.
 *
 * @param {string} root of the project
 * @param {string} source from the root, with forward slashes
 * @returns {Promise<unknown>} the module
 */
export async function importSource(root, source) {
  const folder = join(root, '.cache/docs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${source.replace(/\W/g, '-')}.mjs`);
  const bundle = await rolldown({
    input: join(root, source),
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    platform: 'node',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return import(`${pathToFileURL(file).href}?${Date.now()}`);
}
