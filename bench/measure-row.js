import { Pool } from 'undici';
import { startServer } from './child.js';
import { median, ratio } from './figures.js';

const CONNECTIONS = 32;
const ROUNDS = 7;
/** Of one side in a round: enough for a second or so. */
const REQUESTS = 8000;

/**
 * What an answer costs the mock, beside what it costs the bare handler. Time of the processor, read from the server
 * itself: a client that cannot keep up, or another program, changes it little. In each round both have their turn, the
 * order changing; the first one warms up.
 *
 * @param {import('./rows.js').Row} row
 * @param {boolean} quick
 */
export async function measureRow(row, quick) {
  const mock = await startServer('mock', row.id);
  const prepared = await row.prepare(mock.origin);
  const bare = await startServer('bare', row.id, prepared);
  const requests = quick ? 200 : REQUESTS;
  const sides = [
    { server: mock, costs: /** @type {number[]} */ ([]) },
    { server: bare, costs: /** @type {number[]} */ ([]) },
  ];
  try {
    for (let round = 0; round <= (quick ? 1 : ROUNDS); round += 1) {
      for (const { server, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = await server.cpu();
        await load(server.origin, prepared, requests);
        const cost = ((await server.cpu()) - before) / requests;
        if (round > 0) costs.push(cost);
      }
    }
  } finally {
    await mock.close();
    await bare.close();
  }
  const [ours, least] = sides.map(({ costs }) => costs);
  if (ours === undefined || least === undefined) return '';
  const times = `${median(ours).toFixed(0)} µs, bare ${median(least).toFixed(0)} µs`;
  return `${row.id.padEnd(12)}${times.padEnd(26)}${ratio(ours, least)}`;
}

/**
 * All connections at once, each with its own body, then all again: the server finds much to do, as under a client that
 * is faster than this one.
 * @param {string} origin
 * @param {import('./rows.js').Prepared} prepared
 * @param {number} requests
 */
async function load(origin, { method, path, headers, bodies = [] }, requests) {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const send = async (/** @type {number} */ connection) => {
    const body = bodies[connection % bodies.length] ?? null;
    const answer = await pool.request({ method, path, headers, body });
    await answer.body.dump();
    if (answer.statusCode > 299) throw new Error(`${path} answered ${answer.statusCode}.`);
  };
  const all = Array.from({ length: CONNECTIONS }, (_, index) => index);
  for (let sent = 0; sent < requests; sent += CONNECTIONS) await Promise.all(all.map(send));
  await pool.close();
}
