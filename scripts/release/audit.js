// Asks the registry what is known against the packages that a version ships: `npm audit --omit=dev` would leave out
// what the build holds. Each advisory is a line; one of severity high or critical fails.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { advisoriesOf } from './advisories.js';
import { shippedPaths } from './shipped.js';

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: join(import.meta.dirname, '../..'),
  encoding: 'utf8',
  maxBuffer: 64 << 20,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const found = advisoriesOf(JSON.parse(stdout), shippedPaths());
  for (const { line } of found) process.stderr.write(`${line}\n`);
  if (found.some(({ stops }) => stops)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
