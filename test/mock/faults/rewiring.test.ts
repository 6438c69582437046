import { describe, expect, it } from 'vitest';
import { replacing } from '../../../src/mock/config/replacing.ts';
import { atEndpoint, atHandler, withoutService } from '../../../src/mock/faults/endpoint.ts';
import { createApp } from '../../../src/mock/http/app.ts';
import { oauthEnvelope } from '../../../src/mock/http/envelopes.ts';
import type { Route } from '../../../src/mock/http/request.ts';
import { silentLog, systemClock } from '../../../src/runtime/index.ts';

class Counter {
  #count = 0;
  next(): number {
    this.#count += 1;
    return this.#count;
  }
  twice(): number {
    this.next();
    return this.next();
  }
}

describe('a part with some methods replaced', () => {
  it('keeps its other methods and its private fields', () => {
    const counter = new Counter();
    const stuck = replacing(counter, { next: () => 7 });
    expect(stuck.next()).toBe(7);
    expect(stuck.twice()).toBe(2);
    expect(counter.next()).toBe(3);
    expect(stuck).toBeInstanceOf(Counter);
    expect(stuck.constructor).toBe(Counter);
  });

  it('can be replaced again, by what calls the replacement before', () => {
    const first = replacing(new Counter(), { next: () => 7 });
    const second = replacing(first, { next: () => first.next() + 1 });
    expect(second.next()).toBe(8);
  });
});

interface Toy {
  readonly word: string;
  readonly routes: (mock: Toy) => readonly Route[];
}

const route = (method: Route['method'], path: string, mock: Toy): Route => ({
  method,
  path,
  envelope: oauthEnvelope,
  handle: () => new Response(mock.word),
});

const right: Toy = {
  word: 'right',
  routes: (mock) => [route('GET', '/a', mock), route('POST', '/a', mock), route('GET', '/b', mock)],
};

async function say(mock: Toy, method: string, path: string): Promise<string> {
  const app = createApp({
    routes: mock.routes(mock),
    fallback: oauthEnvelope,
    clock: systemClock,
    log: silentLog,
  });
  const answer = await app(new Request(`https://mock.test${path}`, { method }));
  return answer.status === 200 ? answer.text() : String(answer.status);
}

const sayAll = async (mock: Toy) => [
  await say(mock, 'GET', '/a'),
  await say(mock, 'POST', '/a'),
  await say(mock, 'GET', '/b'),
];

describe('one endpoint', () => {
  it('works with other parts than the rest of the mock', async () => {
    const wrong = { word: 'wrong' };
    const onPath = { ...right, ...atEndpoint(right, { path: '/a' }, () => wrong) };
    expect(await sayAll(onPath)).toEqual(['wrong', 'wrong', 'right']);
    const onPost = { ...right, ...atEndpoint(right, { path: '/a', method: 'POST' }, () => wrong) };
    expect(await sayAll(onPost)).toEqual(['right', 'wrong', 'right']);
  });

  it('is handled another way, by what may ask the right handler, with other parts too', async () => {
    const quoting = {
      ...right,
      ...atHandler(right, { path: '/b' }, (_mock, handle) => async (c) => {
        const [said, other] = [await handle(c), await handle(c, { word: 'wrong' })];
        return new Response(`${await said.text()}, not ${await other.text()}`);
      }),
    };
    expect(await sayAll(quoting)).toEqual(['right', 'right', 'right, not wrong']);
  });

  it('is away, like every other', async () => {
    const away = { ...right, ...withoutService(right, oauthEnvelope) };
    expect(await sayAll(away)).toEqual(['503', '503', '503']);
    expect(await say(away, 'DELETE', '/nothing/here')).toBe('503');
  });
});
