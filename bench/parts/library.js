import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pinned } from '../measure/machine.js';
import { replayService } from '../measure/replay.js';
import { ratios, shuffled, spread } from '../measure/statistics.js';

const PROGRAM = fileURLToPath(new URL('../programs/register-and-call.js', import.meta.url));
const TIMES = 1_000;

/**
 * How often the library registers, exchanges and calls in a second, beside undici alone, and beside the `fetch` that it
 * sends with. Each run is a process.
 * @param {import('./mocks.js').Work} work
 */
export async function measureLibrary({ bench, dist, options, tell }) {
  const { cores } = bench;
  const service = await replayService(dist, cores.server);
  const rate = (/** @type {string} */ side, /** @type {string} */ built) => {
    const args = [process.execPath, PROGRAM, side, service.origin, built];
    const [program, all] = pinned(cores.client, args);
    const { status, stderr, stdout } = spawnSync(program, all, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${PROGRAM} ${side} ended with ${status}: ${stderr}`);
    return Math.round(TIMES / Number(stdout));
  };
  const sides = {
    library: () => rate('agent', dist),
    undici: () => rate('undici', dist),
    fetch: () => rate('fetch', dist),
    ...(options.before !== undefined && { before: () => rate('agent', String(options.before)) }),
  };
  /** @type {Record<string, number[]>} */
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  try {
    for (let run = 0; run < options.runs; run += 1) {
      for (const [name, once] of shuffled(Object.entries(sides))) rates[name]?.push(once());
    }
  } finally {
    await service.close();
  }
  for (const [name, each] of Object.entries(rates)) {
    const { max, median, min } = spread(each);
    const ratio = ratios(each, rates['undici'] ?? each).median.toFixed(2);
    tell(`${name.padEnd(10)}${median} a second, ${min} – ${max}, ${ratio} × undici`);
  }
  return { rates };
}
