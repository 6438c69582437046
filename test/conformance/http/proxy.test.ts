import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import { HttpClient } from '../../../src/conformance/http/http-client.ts';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { readProxies, silentLog, systemClock } from '../../../src/runtime/index.ts';
import { freePort } from '../../support/free-port.ts';
import { startProxy } from '../../support/proxy.ts';

const URL_OF_SERVICE = 'https://service.example/';

let served: Served;
let ca: string;
beforeEach(async () => {
  const authority = await createLocalAuthority(['127.0.0.1', 'service.example']);
  ca = authority.ca;
  served = await serve({
    host: '127.0.0.1',
    port: 0,
    build: async () => async () => new Response('in there'),
    log: silentLog,
    tls: authority.files,
  });
});
afterEach(() => served.close());

const clientOf = (proxy: string, more: { readonly ca?: string } = {}) =>
  new HttpClient({
    peer: 'service',
    clock: systemClock,
    timeout: 5000,
    proxyFor: readProxies({ HTTPS_PROXY: proxy }),
    ...more,
  });

const recorder = () => new Recorder(systemClock);

describe("the suite's own client behind a proxy", () => {
  it('goes through it, with the user and password that its URL names', async () => {
    const proxy = await startProxy({ port: served.port });
    const http = clientOf(`http://me:secret@127.0.0.1:${proxy.port}`, { ca });
    expect((await http.send(URL_OF_SERVICE, {}, recorder())).text).toBe('in there');
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(proxy.seen).toEqual([{ target: 'service.example:443', authorization: basic }]);
    await http.close();
    await proxy.close();
  });

  it('sends raw bytes through it, too', async () => {
    const proxy = await startProxy({ port: served.port });
    const http = clientOf(`http://127.0.0.1:${proxy.port}`, { ca });
    const chunks = ['GET / HTTP/1.1\r\nHost: service.example\r\nConnection: close\r\n\r\n'];
    const reply = await http.raw(URL_OF_SERVICE, { chunks }, recorder());
    expect(reply.statuses).toEqual([200]);
    expect(proxy.seen.map(({ target }) => target)).toEqual(['service.example:443']);
    await http.close();
    await proxy.close();
  });

  it('reaches this machine without it', async () => {
    const http = clientOf(`http://127.0.0.1:${await freePort()}`, { ca });
    expect((await http.send(served.origin, {}, recorder())).status).toBe(200);
    await http.close();
  });

  it('says what the proxy did', async () => {
    const proxy = await startProxy({ status: 407 });
    const refused = clientOf(`http://127.0.0.1:${proxy.port}`);
    await expect(refused.send(URL_OF_SERVICE, {}, recorder())).rejects.toThrow(
      `The proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY) asks for a user name and a password (407): service.example.`,
    );
    await refused.close();
    await proxy.close();
    // Nobody listens there, and no other test can come to: a port that was free may be taken by now.
    const down = clientOf('http://127.0.0.1:1');
    await expect(down.send(URL_OF_SERVICE, {}, recorder())).rejects.toThrow(
      /The proxy .* cannot be reached \(ECONNREFUSED\)/,
    );
    await down.close();
  });
});

describe('a certificate of nobody known', () => {
  it('is refused, with the option that trusts it', async () => {
    const http = new HttpClient({ peer: 'service', clock: systemClock, timeout: 5000 });
    await expect(http.send(served.origin, {}, recorder())).rejects.toThrow('--ca FILE');
    await http.close();
  });
});
