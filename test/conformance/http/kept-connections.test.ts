import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { HttpClient } from '../../../src/conformance/http/http-client.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { systemClock } from '../../../src/runtime/index.ts';

it('keeps its connections, though the peer has closed all those that it had', async () => {
  let connections = 0;
  const server = createServer(({ method }, response) => {
    if (method === 'HEAD') response.setHeader('connection', 'close');
    response.end(method === 'HEAD' ? undefined : 'ok');
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5_000 });
  const recorder = new Recorder(systemClock);
  const send = (method: string) => client.send(url, { method }, recorder);
  try {
    await Promise.all([send('GET'), send('GET')]);
    await send('HEAD');
    await send('HEAD');
    for (let n = 0; n < 10; n += 1) await send('GET');
    expect(connections).toBeLessThanOrEqual(5);
  } finally {
    await client.close();
    server.close();
  }
});
