import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether the mocks stay as fast with a million registrations: a script of its own, which prints what it measures.
 * @param {import('./mocks.js').Work} work
 * @returns {Promise<object>}
 */
export async function measureMillion({ bench, options }) {
  const json = join(bench.folder, 'million.json');
  const script = join(import.meta.dirname, '../million/main.js');
  const size = options.quick ? ['--many', '10000', '--expired', '1000'] : [];
  const { status } = spawnSync(process.execPath, [script, '--json', json, ...size], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}.`);
  return JSON.parse(readFileSync(json, 'utf8')).million;
}
