import { expect, it } from 'vitest';
import { Directory } from './support.ts';

it('HEAD returns no data, so no method counts it as a call', async () => {
  const directory = await Directory.start();
  expect((await directory.services()).meta.requests).toBe(1);
  for (const path of ['/api/services.json', '/api/services.xml', '/v2/server/time.json']) {
    expect((await directory.send(path, { method: 'HEAD' })).status).toBe(200);
  }
  expect((await directory.services()).meta.requests).toBe(2);
});
