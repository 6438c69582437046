/**
 * A --mail-command for the service `mailed-codes`: reads {"to": EMAIL} and prints the newest mail's text.
 *
 *     --mail-command 'node test/conformance/services/mailed-codes/read-mail.js http://127.0.0.1:PORT'
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const { port } = new URL(process.argv[2] ?? '');
const folder = join(tmpdir(), `mailed-codes-${port}`);
const { to } = JSON.parse(await text(process.stdin));
const newest = readdirSync(folder)
  .sort()
  .reverse()
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .find((mail) => mail.startsWith(`To: ${to}\n`));
process.stdout.write(newest?.slice(newest.indexOf('\n\n') + 2) ?? '');
