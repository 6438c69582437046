import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/mock/http/app.ts';
import { oauthEnvelope } from '../../../src/mock/http/envelopes.ts';
import {
  bodyReader,
  type Route,
  readForm,
  readJsonObject,
  readText,
} from '../../../src/mock/http/request.ts';
import { json } from '../../../src/mock/http/response.ts';
import { silentLog, systemClock } from '../../../src/runtime/index.ts';

const routes: readonly Pick<Route, 'path' | 'handle'>[] = [
  { path: '/json', handle: async (c) => json(await readJsonObject(bodyReader, c, 'identity')) },
  {
    path: '/form',
    handle: async (c) => {
      const form = await readForm(bodyReader, c, 'token');
      return json({ a: form.get('a'), b: form.get('b'), proto: form.get('__proto__') });
    },
  },
  {
    path: '/text',
    handle: async (c) => json({ text: await readText(bodyReader, c, 'application/secevent+jwt') }),
  },
];
const app = createApp({
  clock: systemClock,
  routes: routes.map((route) => ({ ...route, method: 'POST', envelope: oauthEnvelope })),
  fallback: oauthEnvelope,
  log: silentLog,
});

async function post(
  path: string,
  contentType: string | undefined,
  body: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
) {
  const request = new Request(`https://mock.example${path}`, {
    method: 'POST',
    body,
    headers: contentType === undefined ? headers : { 'content-type': contentType, ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
  const response = await app(request);
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    response,
  };
}

describe('a JSON body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="utf-8"',
  ])('is read as %s', async (type) => {
    expect(await post('/json', type, '{"a":[1,{"b":null}]}')).toMatchObject({
      status: 200,
      body: { a: [1, { b: null }] },
    });
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    ',application/json',
  ])('is refused as %j', async (type) => {
    const { status, body, response } = await post('/json', type, new TextEncoder().encode('{}'));
    expect([status, body.error]).toEqual([415, 'invalid_request']);
    expect(response.headers.get('accept')).toBe('application/json');
  });

  it.each([
    ['nothing', '', 'not JSON'],
    ['a fragment', '{"a":', 'not JSON'],
    ['an array', '[]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['a string', '"x"', 'not a JSON object'],
    ['deep nesting', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'nested deeper'],
    ['very deep nesting', '['.repeat(30_000), 'nested deeper'],
    ['a member twice', '{"a":1,"\\u0061":2}', 'member twice'],
    ['U+0000', '{"a":"\\u0000"}', 'U+0000'],
    ['an unpaired surrogate', '{"a":"\\ud800"}', 'surrogate'],
  ])('is refused when it is %s, and the text says why', async (_what, text, why) => {
    const { status, body } = await post('/json', 'application/json', text);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.error_description).toContain(why);
  });

  it('is not merged into prototypes', async () => {
    const { status } = await post('/json', 'application/json', '{"__proto__":{"polluted":1}}');
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is refused when it is not UTF-8', async () => {
    const { status } = await post('/json', 'application/json', new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(status).toBe(400);
  });

  it('is refused when it is compressed, so that no bomb is opened', async () => {
    const { status } = await post('/json', 'application/json', '{}', {
      'content-encoding': 'gzip',
    });
    expect(status).toBe(415);
  });

  it('may have 64 KiB and not one byte more', async () => {
    const fill = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect((await post('/json', 'application/json', fill(65_536))).status).toBe(200);
    const { status, body } = await post('/json', 'application/json', fill(65_537));
    expect([status, body.error]).toEqual([413, 'invalid_request']);
  });

  it('is not read beyond its cap, however long it goes on', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });
    const { status } = await post('/json', 'application/json', endless);
    expect(status).toBe(413);
    expect(pulled).toBeLessThan(10);
    expect(cancelled).toBe(true);
  });

  it('that breaks off is the sender’s mistake, not ours', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    expect((await post('/json', 'application/json', broken)).status).toBe(400);
  });
});

describe('a form', () => {
  const FORM = 'application/x-www-form-urlencoded';

  it('has each value once, an empty one being none', async () => {
    const { body } = await post('/form', `${FORM};charset=UTF-8`, 'a=x%20y+z&b=&c=1');
    expect(body).toEqual({ a: 'x y z' });
  });

  it.each(['a=1&a=2', 'a=1&a=1', 'a=&a=1', 'unknown=1&unknown=2', 'a=1&%61=2'])(
    'is refused with a parameter twice: %s',
    async (text) => {
      const { status, body } = await post('/form', FORM, text);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it('is refused with text that cannot be stored', async () => {
    for (const text of ['a=%00', '%00=a']) {
      const { status, body } = await post('/form', FORM, text);
      expect(status).toBe(400);
      expect(body['error_description']).toMatch(/^A parameter has text with U\+0000/);
    }
  });

  it('knows no inherited parameter', async () => {
    expect((await post('/form', FORM, '')).body).toEqual({});
  });

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])(
    'is refused as %s',
    async (type) => expect((await post('/form', type, 'a=1')).status).toBe(415),
  );

  it('is capped', async () => {
    expect((await post('/form', FORM, `a=${'x'.repeat(70_000)}`)).status).toBe(413);
  });
});

describe('a text body', () => {
  it('is of one media type', async () => {
    expect((await post('/text', 'application/secevent+jwt', 'a.b.c')).body).toEqual({
      text: 'a.b.c',
    });
    expect((await post('/text', 'application/jwt', 'a.b.c')).status).toBe(415);
  });
});
