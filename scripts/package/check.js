/**
 * Holds what would be published against publint and are-the-types-wrong, and what says who the project is and where it
 * lives against `repository` and the other fields of `package.json`. What is built is taken as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from './inspect.js';
import { wrongNames } from './names.js';
import { packed } from './packed-files.js';
import { projectFields } from './repository.js';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problems = [...(await inspect(packed(root).files))];
for (const [field, value] of Object.entries(projectFields(manifest))) {
  if (manifest[field] === value) continue;
  problems.push(`package.json: set ${field} to ${value}, as repository says.`);
}
for (const { path } of wrongNames(root))
  problems.push(`${path} has another owner, name or version. Type: node scripts/package/names.js`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
