import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { HttpClient } from '../../src/conformance/http/http-client.ts';
import { Recorder } from '../../src/conformance/http/recorder.ts';
import { serve } from '../../src/mock/http/serve.ts';
import { BAD_PORTS } from '../../src/protocol/bad-ports.ts';
import { silentLog, systemClock } from '../../src/runtime/system.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';

it('is every port that the fetch of undici refuses, and no other', () => {
  const { badPorts } = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js') as {
    readonly badPorts: readonly string[];
  };
  expect([...BAD_PORTS]).toEqual(badPorts.map(Number));
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

it('the suite reached by its own client what it then took for right, and no agent gets to', async () => {
  const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 1000 });
  const asked = [
    http.send('http://127.0.0.1:6000/', {}, new Recorder(systemClock)),
    http.raw('http://127.0.0.1:6000/', { chunks: [''] }, new Recorder(systemClock)),
  ];
  for (const each of asked) {
    await expect(each).rejects.toMatchObject({
      kind: 'bad_port',
      message: expect.stringContaining('127.0.0.1:6000 was not asked: fetch refuses this port'),
    });
  }
  await http.close();
});
