import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { NetworkError } from '../../src/runtime/index.ts';
import { Explainer } from '../../src/traffic/index.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { bodyOf, closeAll, httpServer, rawServer, relayTo, sendRaw } from './relay.ts';

afterEach(closeAll);

const JSON_TYPE = { 'content-type': 'application/json' };

/** What the proxy answers by itself. */
async function problemAt(url: string): Promise<{ status: number; error: unknown; detail: string }> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const { error, detail } = (await response.json()) as Record<string, unknown>;
  expect(response.headers.get('proxy-status')).toContain(`error=${String(error)}`);
  return { status: response.status, error, detail: String(detail) };
}

describe('a service that gives no answer', () => {
  it('is not there', async () => {
    const to = `http://127.0.0.1:${await freePort()}`;
    const { exchanges, url } = await relayTo(to);
    expect(await problemAt(url)).toMatchObject({ status: 502, error: 'connection_refused' });
    const [exchange] = exchanges.read().exchanges;
    if (exchange === undefined) expect.unreachable('nothing was recorded');
    // Nobody refused anything.
    expect(new Explainer().explain(exchange).meaning).toBe(
      `connection_refused: ${to} does not listen there (ECONNREFUSED). The proxy goes on.`,
    );
  });

  it('closes the connection, and answers the next request', async () => {
    let count = 0;
    const to = await rawServer((socket) => {
      count += 1;
      if (count === 1) socket.destroy();
      else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
    const { exchanges, url } = await relayTo(to);
    expect(await problemAt(url)).toMatchObject({ status: 502, error: 'connection_terminated' });
    expect(await (await fetch(url)).text()).toBe('ok');
    expect(exchanges.read().exchanges.map(({ status }) => status)).toEqual([502, 200]);
  });

  it('says nothing', async () => {
    const { url } = await relayTo(await rawServer(() => {}), { timeout: 50 });
    expect(await problemAt(url)).toMatchObject({ status: 504, error: 'connection_timeout' });
  });

  it('speaks something else', async () => {
    const { url } = await relayTo(
      await rawServer((socket) => socket.end('220 mail.example ESMTP\r\n')),
    );
    expect(await problemAt(url)).toMatchObject({ status: 502, error: 'http_protocol_error' });
  });

  it('speaks no TLS', async () => {
    const to = (
      await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    ).replace('http', 'https');
    const { url } = await relayTo(to);
    expect(await problemAt(url)).toMatchObject({ status: 502, error: 'tls_protocol_error' });
  });

  it('is known by its reason in every case', async () => {
    const { url } = await relayTo('https://api.example', {
      forward: () =>
        Promise.reject(new NetworkError('tls', 'The server certificate is not trusted.')),
    });
    const { detail } = await problemAt(url);
    expect(detail).toContain('https://api.example has a certificate that is not trusted here');
  });
});

describe('an answer', () => {
  it('that breaks off within what is rewritten is told so', async () => {
    const to = await rawServer((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":',
      ),
    );
    const { url } = await relayTo(to);
    expect(await problemAt(url)).toMatchObject({ status: 502, error: 'http_response_incomplete' });
  });

  it('that breaks off within what flows by breaks off for the agent, too', async () => {
    const to = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 50\r\n\r\nabc'),
    );
    const { url } = await relayTo(to);
    await expect((await fetch(url)).arrayBuffer()).rejects.toThrow();
    expect((await fetch(url)).status).toBe(200);
  });

  it('that is packed although nobody asked for it is unpacked and rewritten', async () => {
    const to = await httpServer((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ url: `${to}/a` })));
    });
    const { url } = await relayTo(to);
    const response = await fetch(url);
    expect(await response.json()).toEqual({ url: `${url}/a` });
    expect(response.headers.has('content-encoding')).toBe(false);
  });

  it('that is packed in an unknown way flows by, and says so', async () => {
    const to = await httpServer((_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'zstd' }).end('packed');
    });
    const { log, url } = await relayTo(to);
    const path = '/c/cat_0123456789abcdef?code=123456';
    const host = new URL(url).host;
    const answer = await sendRaw(
      url,
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/content-encoding: zstd/i);
    expect(answer).toMatch(
      /proxy-status: agent-auth-proxy; details="The URLs in this body are not/i,
    );
    expect(answer).toContain('packed');
    const said = log.entries.find(({ event }) => event === 'proxy.not_rewritten');
    expect(said?.fields['url']).toBe(`${to}/c/***`);
  });

  it('without an end flows by as fast as it is read', async () => {
    let sent = 0;
    let isOver = false;
    const part = Buffer.alloc(64 * 1024, '[1,');
    const to = await httpServer((_request, response) => {
      response.writeHead(200, JSON_TYPE);
      const more = () => {
        while (!isOver && response.write(part)) sent += part.length;
      };
      response.on('drain', more);
      response.on('close', () => {
        isOver = true;
      });
      more();
    });
    const { log, url } = await relayTo(to);
    const response = await fetch(url);
    const reader = response.body?.getReader();
    for (let read = 0; read < 3 * 1024 * 1024; ) read += (await reader?.read())?.value?.length ?? 0;
    expect(log.entries.map(({ event }) => event)).toContain('proxy.not_rewritten');
    // Nobody reads on: what the buffers on the way hold, and no more.
    let before = -1;
    await until(() => {
      const isStill = sent === before;
      before = sent;
      return isStill;
    });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await reader?.cancel();
    await until(() => isOver);
  });

  it('has no headers of the connection, and none that lead past the proxy', async () => {
    const to = await httpServer((_request, response) => {
      response.setHeader('connection', 'close, x-mine');
      response.setHeader('x-mine', '1');
      response.setHeader('alt-svc', 'h3=":443"');
      response.setHeader('strict-transport-security', 'max-age=1');
      response.setHeader('set-cookie', ['a=1; HttpOnly', 'b=2']);
      response.setHeader('location', `${to}/next?back=1`);
      response.writeHead(303).end();
    });
    const { url } = await relayTo(to);
    const { headers, status } = await fetch(url, { redirect: 'manual' });
    expect(status).toBe(303);
    for (const name of ['x-mine', 'alt-svc', 'strict-transport-security']) {
      expect(headers.has(name)).toBe(false);
    }
    expect(headers.get('location')).toBe(`${url}/next?back=1`);
    expect(headers.getSetCookie()).toEqual([`at${new URL(url).port}.a=1; HttpOnly`, 'b=2']);
  });
});

describe('a request', () => {
  const raw = (url: string, ...lines: readonly string[]) =>
    sendRaw(
      url,
      `${[...lines, `host: ${new URL(url).host}`].join('\r\n')}\r\nconnection: close\r\n\r\n`,
    );

  it('for another protocol is refused with the reason; h2c is ignored', async () => {
    const to = await httpServer((request, response) => {
      response.end(`got ${String(request.headers.upgrade)}`);
    });
    const { url } = await relayTo(to);
    expect(await raw(url, 'GET / HTTP/1.1', 'upgrade: websocket')).toMatch(/^HTTP\/1.1 501 /);
    expect(await raw(url, 'GET / HTTP/1.1', 'upgrade: h2c')).toMatch(/got undefined/);
  });

  it('by another name of this machine, and TRACE, go nowhere', async () => {
    let count = 0;
    const to = await httpServer((_request, response) => {
      count += 1;
      response.end();
    });
    const { url } = await relayTo(to);
    const rebound = 'GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n';
    expect(await sendRaw(url, rebound)).toMatch(/^HTTP\/1.1 421 /);
    expect(await raw(url, 'GET http://evil.example/ HTTP/1.1')).toMatch(/^HTTP\/1.1 421 /);
    expect(await raw(url, 'TRACE / HTTP/1.1')).toMatch(/^HTTP\/1.1 501 /);
    expect(count).toBe(0);
  });

  it('has the host, the origin and the URLs of the service', async () => {
    let seen: Record<string, unknown> = {};
    const to = await httpServer(async (request, response) => {
      seen = { url: request.url, ...request.headers, body: await bodyOf(request) };
      response.end();
    });
    const { url } = await relayTo(to);
    await fetch(`${url}/a?resource=${encodeURIComponent(`${url}/r`)}&b=1+2`, {
      method: 'POST',
      body: new URLSearchParams({ audience: url, other: 'a b' }),
      headers: { origin: url, referer: `${url}/page` },
    });
    expect(seen).toMatchObject({
      url: `/a?resource=${encodeURIComponent(`${to}/r`)}&b=1+2`,
      host: new URL(to).host,
      origin: to,
      referer: `${to}/page`,
      body: `audience=${encodeURIComponent(to)}&other=a+b`,
      via: expect.stringMatching(/^1\.1 agent-auth-proxy-/),
    });
    expect(seen['content-length']).toBe(String(String(seen['body']).length));
  });

  it('flows by where it is no JSON and no form', async () => {
    let begun = false;
    const to = await httpServer((request, response) => {
      begun = true;
      request.pipe(response);
    });
    const { url } = await relayTo(to);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const answer = fetch(url, { method: 'POST', body: readable, duplex: 'half' } as RequestInit);
    await writer.write(Buffer.from('one '));
    await until(() => begun);
    await writer.write(Buffer.from('two'));
    await writer.close();
    expect(await (await answer).text()).toBe('one two');
  });

  it('that is too long to be rewritten flows by as it is', async () => {
    let length = 0;
    const to = await httpServer(async (request, response) => {
      length = (await bodyOf(request)).length;
      response.end(request.headers['content-length']);
    });
    const { url } = await relayTo(to);
    const body = JSON.stringify({ text: 'x'.repeat(3 * 1024 * 1024) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect(await answer.text()).toBe(String(body.length));
    expect(length).toBe(body.length);
  });

  it('is not waited for when its agent has left', async () => {
    let connection: 'none' | 'open' | 'closed' = 'none';
    const to = await httpServer((request) => {
      connection = 'open';
      request.socket.once('close', () => {
        connection = 'closed';
      });
    });
    const { url } = await relayTo(to);
    const leaving = new AbortController();
    const asked = fetch(url, { signal: leaving.signal }).catch(() => 'left');
    await until(() => connection === 'open');
    leaving.abort();
    expect(await asked).toBe('left');
    await until(() => connection === 'closed');
  });

  it('that comes back is a loop', async () => {
    let second = '';
    const to = await httpServer(async (request, response) => {
      const back = await fetch(`${second}${request.url}`, {
        headers: { via: String(request.headers.via) },
      });
      response.writeHead(back.status, { 'content-type': 'image/png' }).end(await back.text());
    });
    ({ url: second } = await relayTo(to));
    expect((await fetch(second)).status).toBe(508);
  });
});
