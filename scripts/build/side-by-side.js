// Runs each argument as a command line, all at once, and prints the output of each when it has ended. Exits 1 when one
// of them failed: its name is the last line.
import { spawn } from 'node:child_process';
import { argv, stderr, stdout } from 'node:process';

/** @param {string} line */
const run = (line) =>
  new Promise((resolve) => {
    /** @type {Buffer[]} */
    const printed = [];
    const child = spawn(line, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => printed.push(chunk));
    }
    child.on('error', (error) => printed.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      stdout.write(Buffer.concat(printed));
      resolve(code === 0 ? undefined : line);
    });
  });

const failed = (await Promise.all(argv.slice(2).map(run))).filter(Boolean);
for (const line of failed) stderr.write(`✗ ${line}\n`);
if (failed.length > 0) process.exitCode = 1;
