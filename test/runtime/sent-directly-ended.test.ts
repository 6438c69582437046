import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FetchInit, limitFetch, systemFetch } from '../../src/runtime/index.ts';
import { until } from '../support/until.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

let server: RawServer;
let answer: string;
beforeEach(async () => {
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  server = await startRawServer((socket) => socket.write(answer));
  // The first of all goes by `fetch` itself: nothing is there to send with.
  await (await fetch(server.origin)).text();
  server.requests.length = 0;
});
afterEach(() => server.close());

const manual = (): FetchInit => ({ redirect: 'manual' });

describe('an end before its time', () => {
  const begun = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc';

  it.each([
    ['before the answer', ''],
    ['in the body', begun],
  ])('is the time limit, %s', async (_when, start) => {
    answer = start;
    const before = server.ended;
    const text = limitFetch(systemFetch, 50)(server.origin, manual()).then((got) => got.text());
    await expect(text).rejects.toMatchObject({ name: 'NetworkError', code: 'timeout' });
    await until(() => server.ended > before);
  });

  it.each([
    ['before the answer', ''],
    ['in the body', begun],
  ])('is the caller’s, %s', async (_when, start) => {
    answer = start;
    const reason = new Error('enough');
    for (const send of [fetch, systemFetch]) {
      const sent = server.requests.length;
      const { ended } = server;
      const aborter = new AbortController();
      const got = send(server.origin, { ...manual(), signal: aborter.signal });
      const text = got.then((response) => response.text());
      const refused = expect(text).rejects.toBe(reason);
      await until(() => server.requests.length > sent);
      if (start !== '') await got;
      aborter.abort(reason);
      await refused;
      await until(() => server.ended > ended);
    }
    const limited = limitFetch(systemFetch)(server.origin, {
      ...manual(),
      signal: AbortSignal.abort(reason),
    });
    await expect(limited).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' });
  });
});
