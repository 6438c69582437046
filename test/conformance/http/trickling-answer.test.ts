import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { HttpClient } from '../../../src/conformance/http/http-client.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { systemClock } from '../../../src/runtime/index.ts';

it('gives up an answer that trickles without end when its time is over', async () => {
  const server = createServer((_request, response) => {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 200 });
  await expect(
    http.send(`http://127.0.0.1:${port}/`, {}, new Recorder(systemClock)),
  ).rejects.toMatchObject({ kind: 'timeout', message: expect.stringContaining('in time') });
  await http.close();
  server.closeAllConnections();
  server.close();
});
