// Prints what the changelog says of a version: `node scripts/release/notes.js 1.2.3`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './sections.js';

const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
const [version = ''] = process.argv.slice(2);
const notes = notesOf(changelog, version);
if (notes === undefined) {
  process.stderr.write(`CHANGELOG.md has no section of ${version || 'no version'}.\n`);
  process.exitCode = 1;
} else process.stdout.write(`${notes}\n`);
