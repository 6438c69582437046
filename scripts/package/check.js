/**
 * Holds what would be published against publint and are-the-types-wrong, and the three fields of `package.json` that
 * say where the project lives against one another. What is built is taken as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from './inspect.js';
import { packed } from './packed-files.js';
import { projectFields } from './repository.js';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problems = [...(await inspect(packed(root).files))];
for (const [field, value] of Object.entries(projectFields(manifest))) {
  if (manifest[field] === value) continue;
  problems.push(`package.json: set ${field} to ${value}, as repository says.`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
