/** Takes the declarations away that no door of the package leads to. The build runs it after the last has been written. */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');
const types = join(root, 'dist/types');
const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const waiting = Object.values(doors)
  .flatMap((door) => door.types ?? [])
  .map((file) => join(root, file));
const reached = new Set();
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, specifier = ''] of text.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"'\n]+)["']/g,
  )) {
    const path = resolve(dirname(file), specifier);
    const declared = [path, path.replace(/\.[jt]sx?$/, '.d.ts')].find(
      (each) => each.endsWith('.d.ts') && existsSync(each),
    );
    if (declared !== undefined) waiting.push(declared);
  }
}

const names = readdirSync(types, { recursive: true, encoding: 'utf8' }).sort().reverse();
for (const path of names.map((name) => join(types, name))) {
  if (!statSync(path).isDirectory()) {
    if (!reached.has(path)) rmSync(path);
  } else if (readdirSync(path).length === 0) rmdirSync(path);
}
