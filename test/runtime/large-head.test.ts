import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { toNetworkError } from '../../src/runtime/network-error.ts';

it('says of an answer with 60 kB of headers that they are too large, not that the connection failed', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('x-much', 'x'.repeat(60_000)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const failure: unknown = await fetch(`http://127.0.0.1:${port}`).catch((error) => error);
    expect(toNetworkError(failure).code).toBe('large_head');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
