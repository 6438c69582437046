import { createServer } from 'node:http';
import { startServer } from '../measure/child.js';
import { compare } from '../measure/compare.js';
import { runningSide } from '../measure/sides.js';
import { resultTable } from '../tables.js';

/**
 * The same load at our mock and at a service that somebody else runs. Both keep what they were sent from run to
 * run, so that neither has the advantage of an empty store.
 * @param {import('./mocks.js').Work} work
 */
export async function measureAgainst(work) {
  const { bench, dist, options, tell } = work;
  const { against = '', label = against, providerPort } = options;
  const { issuer, jwks } = bench.provider;
  const rows = rowsFor(work);
  const mockOptions = Object.assign({}, ...rows.map((row) => row.options));
  const settings = {
    dist,
    role: 'service',
    port: 0,
    trust: { issuer, jwks },
    options: mockOptions,
  };
  const keys =
    providerPort === undefined ? undefined : await serveKeys(bench.provider, providerPort);
  const mock = await startServer('mock.js', settings, bench.cores.server);
  const other = { origin: new URL(against).origin };
  const sides = [runningSide(bench, 'mock', mock), runningSide(bench, 'other', other)];
  try {
    const results = await compare(rows, sides, bench.pace, tell);
    tell(`\n${resultTable(results)}`);
    return { label, pace: bench.pace, results };
  } finally {
    await mock.close();
    keys?.closeAllConnections();
    keys?.close();
  }
}

/** @param {import('./mocks.js').Work} work */
function rowsFor({ options, tell }) {
  const rows = options.rows.filter(({ role }) => role === 'service');
  if (options.providerPort !== undefined) return rows;
  tell('id-jag is left out: it needs --provider-port PORT, and a service that trusts the provider');
  return rows.filter(({ id }) => id !== 'id-jag');
}

/**
 * Where a service finds the keys that the ID-JAGs of the bench are signed with.
 * @param {import('../rows/id-jags.js').BenchProvider} provider
 * @param {number} port
 * @returns {Promise<import('node:http').Server>}
 */
function serveKeys({ issuer, jwks }, port) {
  const jwks_uri = `${issuer}/.well-known/jwks.json`;
  const server = createServer(({ url }, response) => {
    const isKeys = url === '/.well-known/jwks.json';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isKeys ? jwks : { issuer, jwks_uri }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
