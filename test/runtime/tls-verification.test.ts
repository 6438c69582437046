import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalAuthority } from '../../src/cli/mock/servers/mock-tls.ts';
import { HttpClient } from '../../src/conformance/http/http-client.ts';
import { sendRaw } from '../../src/conformance/http/raw.ts';
import { Recorder } from '../../src/conformance/http/recorder.ts';
import { type Served, serve } from '../../src/mock/http/serve.ts';
import { silentLog, systemClock } from '../../src/runtime/index.ts';
import { readProxies } from '../../src/runtime/proxy.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';
import { startProxy } from '../support/proxy.ts';

let served: Served;
let ca: string;
let asked: number;
beforeEach(async () => {
  const authority = await createLocalAuthority(['127.0.0.1', 'service.example']);
  ca = authority.ca;
  asked = 0;
  const handle = async () => {
    asked += 1;
    return new Response('in there');
  };
  served = await serve({
    host: '127.0.0.1',
    port: 0,
    build: async () => handle,
    log: silentLog,
    tls: authority.files,
  });
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});
afterEach(() => served.close());

describe('with NODE_TLS_REJECT_UNAUTHORIZED=0, a certificate of nobody known is refused', () => {
  const direct = { proxyFor: () => undefined };

  it('by the fetch of the program, which takes one of --ca', async () => {
    await expect(createSystemFetch(direct)(served.origin)).rejects.toMatchObject({ code: 'tls' });
    expect(asked).toBe(0);
    const answer = await createSystemFetch({ ...direct, ca: [ca] })(served.origin);
    expect(await answer.text()).toBe('in there');
  });

  it('by the fetch of the program through a proxy', async () => {
    const proxy = await startProxy({ port: served.port });
    const proxyFor = readProxies({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    const url = 'https://service.example/';
    await expect(createSystemFetch({ proxyFor })(url)).rejects.toMatchObject({ code: 'tls' });
    expect(proxy.seen).toHaveLength(1);
    expect(asked).toBe(0);
    expect((await createSystemFetch({ proxyFor, ca: [ca] })(url)).status).toBe(200);
    await proxy.close();
  });

  it('by the fetch of the program where the proxy has it', async () => {
    const proxyFor = readProxies({ HTTPS_PROXY: served.origin });
    await expect(createSystemFetch({ proxyFor })('https://service.example/')).rejects.toMatchObject(
      {
        code: 'proxy',
        message: expect.stringContaining('certificate is not trusted'),
      },
    );
    expect(asked).toBe(0);
  });

  it('by the client of the conformance suite', async () => {
    const recorder = new Recorder(systemClock);
    const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5000 });
    await expect(http.send(served.origin, {}, recorder)).rejects.toMatchObject({ kind: 'tls' });
    await http.close();
    const knowing = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5000, ca });
    expect((await knowing.send(served.origin, {}, recorder)).status).toBe(200);
    await knowing.close();
  });

  it('by its raw connections', async () => {
    const sending = { chunks: ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'] };
    const options = { peer: 'service', clock: systemClock, timeout: 5000 };
    const recorder = new Recorder(systemClock);
    await expect(sendRaw(served.origin, sending, recorder, options)).rejects.toThrow(
      'no connection',
    );
    expect(asked).toBe(0);
    const secureContext = createSecureContext({ ca });
    const trusting = { ...options, secureContext };
    const reply = await sendRaw(served.origin, sending, recorder, trusting);
    expect(reply.statuses).toEqual([200]);
  });
});
