import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { json } from '../../../src/mock/http/response.ts';
import { serve } from '../../../src/mock/http/serve.ts';
import { silentLog } from '../../../src/runtime/index.ts';

describe('answers', () => {
  it('to requests that came at once by one connection leave in the order of these', async () => {
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => async (request) => json({ path: new URL(request.url).pathname }),
    });
    try {
      const { hostname: host, port } = new URL(served.origin);
      const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n`;
      const last = `${head('/3')}Connection: close\r\n\r\n`;
      const text = await sent(served.port, `${head('/1')}\r\n${head('/2')}\r\n${last}`);
      expect(text.match(/"path":"[^"]*"/g)).toEqual(['"path":"/1"', '"path":"/2"', '"path":"/3"']);
    } finally {
      await served.close();
    }
  });

  it('hold up nobody whose peer has left', async () => {
    let left: (() => void) | undefined;
    const served = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async () => async (request) => {
        if (request.url.endsWith('/left')) {
          left?.();
          await new Promise<void>((resolve) =>
            request.signal.addEventListener('abort', () => resolve()),
          );
        }
        return json({ ok: true });
      },
    });
    try {
      const socket = connect(served.port, '127.0.0.1');
      left = () => socket.destroy();
      socket.write(`GET /left HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
      const answers = [1, 2].map(() => fetch(`${served.origin}/here`));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    } finally {
      await served.close();
    }
  });
});

function sent(port: number, requests: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(requests));
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
