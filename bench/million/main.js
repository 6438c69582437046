// Whether the mocks stay as fast when a million agents have registered: `node bench/million/main.js --help`. Built first.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addFigures } from '../figures.js';
import { describeMachine } from '../measure/machine.js';
import { withPostgres } from '../parts/postgres.js';
import { BenchProvider } from '../rows/id-jags.js';
import { compareSizes, measurePurge } from './measure.js';
import { openSide } from './side.js';

const HELP = `node bench/million/main.js [options]

What each endpoint of the mocks takes with few registrations in the store and with many, in turn, and the longest
time that a request takes while what has expired is removed. The same number of users is in the provider's store.

  --few N           registrations. Default: 1000
  --many N          Default: 1000000
  --calls N         of each endpoint on each side. Default: 300
  --expired N       rows that expire at once. Default: 100000
  --stores NAME,... of file, postgres. Default: both
  --json FILE       adds all figures to a file
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    few: { type: 'string', default: '1000' },
    many: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '300' },
    expired: { type: 'string', default: '100000' },
    stores: { type: 'string', default: 'file,postgres' },
    json: { type: 'string' },
  },
});

/** @typedef {{ few: { file?: string, address?: string }, many: { file?: string, address?: string } }} Places */

/** @type {Record<string, (measure: (places: Places) => Promise<object>) => Promise<object | undefined>>} */
const STORES = { file: onFiles, postgres: onPostgres };

if (values.help) process.stdout.write(HELP);
else await main();

async function main() {
  /** @type {Record<string, object>} */
  const stores = {};
  for (const name of values.stores.split(',')) {
    const run = STORES[name];
    if (run === undefined) throw new TypeError(`--stores ${name}: use file or postgres.`);
    const figures = await run((places) => measure(name, places));
    if (figures !== undefined) stores[name] = figures;
  }
  if (values.json === undefined) return;
  const machine = describeMachine({
    server: undefined,
    client: undefined,
    description: 'one process',
  });
  const sizes = { few: Number(values.few), many: Number(values.many), calls: Number(values.calls) };
  const figures = { machine, ...sizes, stores };
  addFigures(values.json, 'million', figures);
}

/** @param {string} name @param {Places} places */
async function measure(name, places) {
  const signer = new BenchProvider('https://issuer.test');
  const start = performance.now();
  const few = await openSide(places.few, Number(values.few), signer);
  const many = await openSide(places.many, Number(values.many), signer);
  const seconds = Math.round((performance.now() - start) / 1000);
  tell(
    `\n${name}: filled with ${values.few} and ${values.many} registrations in ${seconds} s${sizeOf(places)}`,
  );
  try {
    tell(line('median, µs', 'few', 'many', 'ratio'));
    const endpoints = await compareSizes(few, many, Number(values.calls), (result) =>
      tell(
        line(
          result.id,
          result.few.median.toFixed(0),
          result.many.median.toFixed(0),
          result.ratio.toFixed(2),
        ),
      ),
    );
    const purge = await measurePurge(many, Number(values.expired));
    tell(
      `${purge.expired} expired rows were gone after ${purge.requests} registrations, ` +
        `${purge.heldUp} of them held up by more than 10 ms, the longest of ` +
        `${inMs(purge.purging)}; without any that expires, of ${inMs(purge.usual)}`,
    );
    return { endpoints, purge };
  } finally {
    await few.close();
    await many.close();
  }
}

/** @param {(places: Places) => Promise<object>} measured */
async function onFiles(measured) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-auth-bench-'));
  const file = (/** @type {string} */ name) => ({ file: join(folder, `${name}.db`) });
  try {
    return await measured({ few: file('few'), many: file('many') });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {(places: Places) => Promise<object>} measured */
function onPostgres(measured) {
  return withPostgres(tell, async (newDatabase) => {
    const place = async () => ({ address: await newDatabase() });
    return measured({ few: await place(), many: await place() });
  });
}

/** @param {Places} places */
function sizeOf({ many: { file } }) {
  return file === undefined ? '' : `, ${Math.round(statSync(file).size / 2 ** 20)} MiB`;
}

/** @param {import('../measure/statistics.js').Spread} times */
function inMs({ max, median }) {
  return `${max.toFixed(2)} ms (median ${median.toFixed(2)})`;
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} name @param {readonly string[]} cells */
function line(name, ...cells) {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(9)).join('');
}
