// Whether the tag vVERSION can be released: package.json and its lock have that version, the changelog is of it, and
// with --repository OWNER/NAME, package.json is of that one. Each problem is a line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { slugOf } from '../package/repository.js';
import { problemsOf } from './sections.js';

const root = join(import.meta.dirname, '../..');
const read = (/** @type {string} */ name) => readFileSync(join(root, name), 'utf8');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string' } },
});
const [tag = ''] = positionals;
const manifest = JSON.parse(read('package.json'));
const { version } = manifest;

const problems = [...problemsOf(read('CHANGELOG.md'), version)];
if (tag !== `v${version}`)
  problems.push(`The tag is ${tag || 'missing'}, package.json has ${version}.`);
const locked = JSON.parse(read('package-lock.json')).packages[''].version;
if (locked !== version) problems.push(`package-lock.json has ${locked}, package.json ${version}.`);
const slug = slugOf(manifest);
const { repository = slug } = values;
if (repository !== slug) {
  problems.push(
    `package.json says ${slug}, this is ${repository}: set repository, homepage and bugs there.`,
  );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
