import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Fetch, limitFetch, systemFetch } from '../../src/runtime/index.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

let server: RawServer;
let head = '';
beforeAll(async () => {
  server = await startRawServer((socket) =>
    socket.write(Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: 5\r\n\r\nhello`, 'utf8')),
  );
});
afterAll(() => server.close());
afterEach(() => vi.useRealTimers());

const fetches: readonly [string, (timeout: number) => Fetch][] = [
  ['of the system', (timeout) => createSystemFetch({ timeout, proxyFor: () => undefined })],
  ['that is given, with a limit', (timeout) => limitFetch(systemFetch, timeout)],
];
describe.each(fetches)('a fetch %s', (_which, within) => {
  it.each([
    ['a status above 599', '999 Denied', 999],
    ['a reason that is no Latin-1', '404 見つかりません', 404],
  ])('hands on %s', async (_what, line, status) => {
    head = line;
    const response = await within(30_000)(server.origin);
    expect(response).toMatchObject({ status, ok: false });
    expect(await response.text()).toBe('hello');
  });
});

it('an answer that has come whole is no late one, however late it is read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  head = '200 OK';
  const limit = 1000;
  const response = await createSystemFetch({ timeout: limit, proxyFor: () => undefined })(
    server.origin,
  );
  vi.advanceTimersByTime(limit);
  expect(await response.text()).toBe('hello');
});
