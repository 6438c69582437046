// Writes the pages of docs/ that mirror code; with --check, fails when one differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pages } from './docs/pages.js';

const root = join(import.meta.dirname, '..');

for (const { file, markdown } of await pages(root)) {
  const path = join(root, file);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, markdown);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== markdown) {
    process.stderr.write(`${file} is out of date: npm run docs\n`);
    process.exitCode = 1;
  }
}
