#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';

const program = new URL('../dist/cli/main.js', import.meta.url);

if (existsSync(program)) {
  try {
    /** @type {typeof import('../src/cli/main.ts')} */
    const { main } = await import(program.href);
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    // Its own files cannot be loaded: too many are open, one is missing, or this Node lacks what they need.
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    const known = /EMFILE|too many open files/.test(String(why)) ? tooFewFiles() : oldNode();
    process.stderr.write(`✗ agent-auth cannot run: ${known ?? why}\n`);
    process.exitCode = 1;
  }
} else {
  process.stderr.write('agent-auth is not built yet. Type: npm run build\n');
  process.exitCode = 1;
}

/** What is wrong and what to do, in one line: which file it was does not matter. */
function tooFewFiles() {
  let limit = '';
  try {
    /** @type {{ userLimits?: { open_files?: { soft?: unknown } } }} */
    const report = process.report.getReport();
    limit = ` of ${report.userLimits?.open_files?.soft}`;
  } catch {
    // It cannot be told everywhere.
  }
  return `EMFILE: the limit${limit} open files is too low; ulimit -n 1024 allows more`;
}

/** Undefined where this Node has what the oldest that package.json allows has. */
function oldNode() {
  if (typeof process.getBuiltinModule === 'function') return undefined;
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { engines } = JSON.parse(manifest);
  return `Node ${process.versions.node} is too old; install one of ${engines.node}`;
}
