/**
 * Runs the service that sends only what the specification shows, for a trial over HTTP:
 *
 *     node test/support/serve-spec-only.js [--port 4870] [--trust PROVIDER]
 *
 * It prints its URL, and each request on stderr. With `--trust` it verifies ID-JAGs by the keys of that
 * provider; without, it takes every one that names it.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { rolldown } from 'rolldown';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, trust: { type: 'string' } },
});

/** @returns {Promise<typeof import('./spec-only-service.ts')>} */
async function loadService() {
  const input = fileURLToPath(new URL('spec-only-service.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  const { output } = await bundle.generate({ format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/**
 * @param {string} base
 * @param {string | undefined} trusted
 * @returns {import('./spec-only-service.ts').Verify}
 */
function verifier(base, trusted) {
  const keys = trusted && createRemoteJWKSet(new URL(`${trusted}/.well-known/jwks.json`));
  return async (idJag) => {
    try {
      if (!keys) return decodeJwt(idJag).aud === base;
      await jwtVerify(idJag, keys, { issuer: trusted, audience: base });
      return true;
    } catch {
      return false;
    }
  };
}

const { SpecOnlyService } = await loadService();
const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = incoming;
  const answer = await service.fetch(
    new Request(base + url, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(method === 'POST' && { body: Buffer.concat(chunks) }),
    }),
  );
  process.stderr.write(`${method} ${url.split('?')[0]} ${answer.status}\n`);
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  outgoing.end(Buffer.from(await answer.arrayBuffer()));
});
await new Promise((done) => server.listen(Number(values.port), '127.0.0.1', () => done(undefined)));
const address = server.address();
const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : values.port}`;
const service = new SpecOnlyService({ base, verify: verifier(base, values.trust) });
process.stdout.write(`${base}\n`);
