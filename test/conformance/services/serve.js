/**
 * Runs one of the services of this folder, to judge it as its developer would:
 *
 *     node test/conformance/services/serve.js as-shown [--trust ISSUER]... [--bug NAME]
 *
 * It prints its URL. `--trust` names a provider whose keys are at ISSUER/.well-known/jwks.json: that of the
 * suite is at http://127.0.0.1:PORT, by --provider-port PORT. `--bug` switches on one of the service's bugs; a wrong name lists them.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trust: { type: 'string', multiple: true, default: [] },
    bug: { type: 'string' },
  },
});

/** @returns {Promise<typeof import('./all.ts')>} */
async function loadServices() {
  const input = fileURLToPath(new URL('all.ts', import.meta.url));
  // Below the root of the project, where what it imports is found.
  const file = fileURLToPath(new URL('../../../.cache/services.mjs', import.meta.url));
  const isOwn = (/** @type {string} */ id) => id.startsWith('.') || id.startsWith('/');
  const bundle = await rolldown({ input, platform: 'node', external: (id) => !isOwn(id) });
  await bundle.write({ file, format: 'esm' });
  return import(pathToFileURL(file).href);
}

const { BUGS, SERVICES } = await loadServices();
const start = SERVICES[positionals[0] ?? ''];
if (start === undefined) {
  process.stderr.write(`Name one of ${Object.keys(SERVICES).join(', ')}.\n`);
  process.exit(2);
}
const { bug } = values;
const bugs = BUGS[positionals[0] ?? ''] ?? [];
if (bug !== undefined && !bugs.some(({ id }) => id === bug)) {
  const list = bugs.map(({ id, what }) => `  ${id.padEnd(28)} ${what}\n`).join('');
  process.stderr.write(list === '' ? 'This service has no bugs.\n' : `Name one of these:\n${list}`);
  process.exit(2);
}
const trust = values.trust.map((issuer) => ({
  issuer,
  jwksUri: `${issuer}/.well-known/jwks.json`,
}));
const { url } = await start({ trust, ...(bug !== undefined && { bug }) });
process.stdout.write(`${url}\n`);
