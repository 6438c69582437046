import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitFetch, systemFetch } from '../../src/runtime/index.ts';
import { until } from '../support/until.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

const BEGUN = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc';
const CODED = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 9\r\n\r\nabc';

let collect: () => void;
let server: RawServer;
let answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
beforeAll(async () => {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as () => void;
  server = await startRawServer((socket) => socket.write(answer));
  await (await fetch(server.origin)).text();
});
afterAll(() => {
  server.close();
  setFlagsFromString('--no-expose-gc');
});

const looks: readonly [what: string, answer: string, look: (response: Response) => unknown][] = [
  ['nobody looks at', BEGUN, () => {}],
  ['somebody only looks at', BEGUN, (response) => response.body],
  ['somebody holds a reader of', BEGUN, (response) => response.body?.getReader()],
  ['somebody copies', BEGUN, (response) => response.clone()],
  ['nobody decodes', CODED, () => {}],
];
it.each(looks)('an answer that %s lets its connection go', async (_what, given, look) => {
  answer = given;
  const before = server.ended;
  for (const send of [systemFetch, limitFetch(systemFetch)]) {
    await (async () => look(await send(server.origin, { redirect: 'manual' })))();
  }
  await until(async () => {
    collect();
    // Each takes the processors: not one after another for all the seconds that a connection is kept.
    await setTimeout(100);
    return server.ended >= before + 2;
  });
});

it('an answer of which somebody has the stream alone keeps it', async () => {
  // A server of its own: what others let go may end later.
  const kept = await startRawServer((socket) => socket.write(BEGUN));
  try {
    const body = await (async () => {
      const response = await limitFetch(systemFetch)(kept.origin, { redirect: 'manual' });
      return response.body;
    })();
    for (let times = 0; times < 5; times += 1) {
      collect();
      await setTimeout(5);
    }
    expect(kept.ended).toBe(0);
    const reader = body?.getReader();
    const chunk = await reader?.read();
    expect(Buffer.from(chunk?.value ?? []).toString()).toBe('abc');
    await reader?.cancel();
  } finally {
    kept.close();
  }
});
