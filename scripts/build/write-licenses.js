/** Writes `dist/packages/LICENSES.txt`: the notice of each package that the build holds. The build runs it at its end. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlinedPackages } from './inlined-packages.js';

const root = join(import.meta.dirname, '../..');
const ours = join(import.meta.dirname, 'licenses');

/** The file of the package; where it has none, the text of the license that its `package.json` names, in `licenses/`. */
function notice(/** @type {import('./inlined-packages.js').Inlined} */ { name, path }) {
  const folder = join(root, path);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return join(folder, file);
  const written = join(ours, `${name.replace('/', '-')}.txt`);
  if (!existsSync(written)) throw new Error(`${name} has no notice: write it to ${written}.`);
  return written;
}

/** @type {ReadonlyMap<string, string>} */
const files = new Map([
  ...inlinedPackages().map((one) => /** @type {const} */ ([one.name, notice(one)])),
  // The HTTP parser within undici, as WebAssembly. Its package has no notice of it: this one is Node's.
  ['llhttp', join(ours, 'llhttp.txt')],
]);
const texts = [...files]
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(
    ([name, file]) => `${name}\n\n${readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()}\n`,
  );
writeFileSync(join(root, 'dist/packages/LICENSES.txt'), texts.join(`\n${'='.repeat(72)}\n\n`));
