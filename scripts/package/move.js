// npm run repository -- OWNER/NAME: writes where the project lives into package.json. Without a name it prints it.
// --is OWNER/NAME fails where it is another: the release asks that.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moved, slugOf } from './repository.js';

const path = join(import.meta.dirname, '../../package.json');
const manifest = JSON.parse(readFileSync(path, 'utf8'));
const [first, second] = process.argv.slice(2);

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

try {
  if (first === undefined) {
    process.stdout.write(`${slugOf(manifest)}\n`);
  } else if (first !== '--is') {
    writeFileSync(path, `${JSON.stringify(moved(manifest, first), null, 2)}\n`);
  } else if (slugOf(manifest) !== second) {
    fail(
      `package.json says ${slugOf(manifest)}, this is ${second ?? 'no repository'}. Type: npm run repository -- ${second ?? 'OWNER/NAME'}`,
    );
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
