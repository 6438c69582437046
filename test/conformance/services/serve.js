/**
 * Runs one of the services of this folder, to judge it as its developer would:
 *
 *     node test/conformance/services/serve.js as-shown [--trust ISSUER]...
 *
 * It prints its URL. `--trust` names a provider whose keys are at ISSUER/.well-known/jwks.json: that of the
 * suite is at http://127.0.0.1:PORT, by --provider-port PORT.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { trust: { type: 'string', multiple: true, default: [] } },
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

const { SERVICES } = await loadServices();
const start = SERVICES[positionals[0] ?? ''];
if (start === undefined) {
  process.stderr.write(`Name one of ${Object.keys(SERVICES).join(', ')}.\n`);
  process.exit(2);
}
const trust = values.trust.map((issuer) => ({
  issuer,
  jwksUri: `${issuer}/.well-known/jwks.json`,
}));
const { url } = await start({ trust });
process.stdout.write(`${url}\n`);
