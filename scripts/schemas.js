// Writes docs/schemas and its index; with --check, fails when one of them differs. A check that passed is not done
// again as long as everything that it was made of and compared with is the same, byte by byte.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readable } from './docs/openapi-documents.js';
import { hashOfInputs } from './schemas/hash-of-inputs.js';
import { schemasPage } from './schemas/schemas-page.js';

const root = join(import.meta.dirname, '..');
const folder = 'docs/schemas';
const noted = join(root, '.cache/schemas-checked');
const isCheck = process.argv.includes('--check');
const inputs = isCheck ? hashOfInputs(root) : '';
if (isCheck && existsSync(noted) && readFileSync(noted, 'utf8') === inputs) process.exit();

const { publishedSchemas } = await import('./schemas/published-schemas.js');
const schemas = await publishedSchemas(root);
const files = new Map([
  ...schemas.map(
    ({ name, schema }) =>
      /** @type {const} */ ([`${folder}/${name}.json`, `${readable(schema)}\n`]),
  ),
  ['docs/schemas.md', schemasPage(schemas)],
]);
const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
const left = there.map((name) => `${folder}/${name}`).filter((path) => !files.has(path));

if (isCheck) {
  const wrong = [...files]
    .filter(
      ([path, text]) =>
        !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
    )
    .map(([path]) => path);
  for (const path of [...wrong, ...left]) {
    process.stderr.write(`${path} is out of date: node scripts/schemas.js\n`);
    process.exitCode = 1;
  }
  if (wrong.length + left.length === 0) {
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(noted, inputs);
  }
} else {
  mkdirSync(join(root, folder), { recursive: true });
  for (const path of left) rmSync(join(root, path));
  for (const [path, text] of files) writeFileSync(join(root, path), text);
}
