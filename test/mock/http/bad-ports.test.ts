import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { isBadPort } from '../../../src/mock/http/bad-ports.ts';
import { serve } from '../../../src/mock/http/serve.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';

it('is every port that the fetch of undici refuses, and no other', () => {
  const { badPorts } = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js') as {
    readonly badPorts: readonly string[];
  };
  const ours = Array.from({ length: 65_536 }, (_, port) => port).filter(isBadPort);
  expect(ours).toEqual(badPorts.map(Number));
});

it('of a port that fetch refuses a failure said only that the connection failed', async () => {
  await expect(createSystemFetch()('http://127.0.0.1:6000')).rejects.toMatchObject({
    code: 'bad_port',
    message: 'No answer: fetch refuses this port (WHATWG fetch, "bad port").',
  });
});

it('a server listened where no client that uses fetch reaches it', async () => {
  const build = async () => async () => new Response();
  const serving = serve({ host: '127.0.0.1', port: 6000, build, log: silentLog });
  await expect(serving).rejects.toMatchObject({ name: 'ListenError', code: 'bad_port' });
});
