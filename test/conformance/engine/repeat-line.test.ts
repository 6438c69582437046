import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { repeatLine } from '../../../src/conformance/engine/repeat-line.ts';
import type { Exchange } from '../../../src/conformance/index.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that keeps what it receives. */
async function listen(): Promise<{ readonly origin: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    received.push({ method, url, headers, body });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function sent(request: Exchange['request']): Exchange {
  return { number: 1, from: 'suite', to: 'service', at: 0, request };
}

const TOKEN = 'it\'s "$(whoami)" \\ a token';

describe('the line that repeats a request', () => {
  it('sends in a shell what was sent', async () => {
    const { origin, received } = await listen();
    const line = repeatLine(
      sent({
        method: 'PUT',
        url: `${origin}/a/../b[1]?q=%20x`,
        headers: [
          ['content-type', 'application/json'],
          ['x-odd', TOKEN],
          ['user-agent', 'the suite'],
        ],
        body: `{"text":"${TOKEN.replaceAll('\\', '\\\\')}",\n"x":1}`,
      }),
    );
    expect(line).not.toContain('\n');
    await promisify(execFile)('sh', ['-c', line ?? 'false']);
    expect(received).toEqual([
      expect.objectContaining({
        method: 'PUT',
        url: '/a/../b[1]?q=%20x',
        body: `{"text":"${TOKEN.replaceAll('\\', '\\\\')}",\n"x":1}`,
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'x-odd': TOKEN,
        }),
      }),
    ]);
  });

  it.each([
    ['a secret of the run', { headers: [['authorization', 'Bearer ‹1b1b1b1b›'] as const] }],
    ['raw bytes', { body: 'As raw bytes:\nGET / HTTP/1.1' }],
    ['a body that the report cuts', { body: `${'x'.repeat(4096)}…` }],
    ['a character that a terminal would not show', { url: 'https://service.example/\u202e' }],
    ['a method that is none', { method: 'GET /\u001b' }],
  ])('is none for %s', (_name, more) => {
    const plain = { method: 'GET', url: 'https://service.example/', headers: [] };
    expect(repeatLine(sent(plain))).toBe('curl -sSi https://service.example/');
    expect(repeatLine(sent({ ...plain, ...more }))).toBeUndefined();
  });
});
