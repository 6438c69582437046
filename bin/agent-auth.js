#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli/main.js', import.meta.url);

if (existsSync(program)) {
  /** @type {typeof import('../src/cli/main.ts')} */
  const { main } = await import(program.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write('agent-auth is not built yet. Type: npm run build\n');
  process.exitCode = 1;
}
