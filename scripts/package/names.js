/**
 * Owner, name and version of the project, wherever a page, an example or an action says them: `package.json` is the one
 * place. `node scripts/package/names.js` writes them there; `check.js` names each file in which they are others.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFields, slugOf } from './repository.js';

/** @typedef {import('./repository.js').Manifest & { name: string, version: string, author: string }} Named */

/**
 * A text with the names of the manifest in place of those that it has.
 * @returns {string}
 */
export function named(/** @type {string} */ text, /** @type {Named} */ manifest) {
  const slug = slugOf(manifest);
  const name = `(?:${[manifest.name, slug.split('/')[1]].join('|')})`;
  const of = (/** @type {string} */ form) => new RegExp(form.replace('NAME', name), 'gm');
  return text
    .replace(
      of(String.raw`\buses: [\w.-]+/NAME(/mock)?@COMMIT\b.*$`),
      (_all, part = '') => `uses: ${slug}${part}@COMMIT # of v${manifest.version}`,
    )
    .replace(
      of(String.raw`https://github\.com/[\w.-]+/NAME(?![\w-])`),
      `https://github.com/${slug}`,
    )
    .replace(of(String.raw`https://[\w-]+\.github\.io/NAME/`), projectFields(manifest).homepage)
    .replace(/^author: .*$/gm, `author: ${manifest.author}`);
}

/** @returns {readonly { path: string, text: string }[]} the files that say another name, with what they should say */
export function wrongNames(/** @type {string} */ root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pages = ['docs', 'docs/examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return ['README.md', 'CONTRIBUTING.md', 'action.yml', 'mock/action.yml', ...pages]
    .filter((path) => /\.(?:md|yml)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const right = named(text, manifest);
      return right === text ? [] : [{ path, text: right }];
    });
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '../..');
  for (const { path, text } of wrongNames(root)) {
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path}\n`);
  }
}
