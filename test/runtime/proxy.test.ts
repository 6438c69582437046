import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../src/cli/mock/servers/mock-tls.ts';
import { type Served, serve } from '../../src/mock/http/serve.ts';
import { NetworkError, silentLog } from '../../src/runtime/index.ts';
import { BadProxyError, readProxies } from '../../src/runtime/proxy.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';

const https = 'https://service.example';

describe('the choice of a proxy', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['none without a variable', {}, https, undefined],
    ['HTTPS_PROXY for https', { HTTPS_PROXY: 'http://p:1' }, https, 'p:1'],
    ['its lower-case name', { https_proxy: 'http://p:1' }, https, 'p:1'],
    [
      'the lower-case name first',
      { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' },
      https,
      'q:2',
    ],
    [
      'the upper-case name where the other is empty',
      { HTTPS_PROXY: 'http://p:1', https_proxy: '' },
      https,
      'p:1',
    ],
    ['HTTP_PROXY where there is no other', { HTTP_PROXY: 'http://p:1' }, https, 'p:1'],
    [
      'HTTPS_PROXY before HTTP_PROXY',
      { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://q:2' },
      https,
      'q:2',
    ],
    ['a URL without a scheme', { HTTPS_PROXY: 'proxy.example:3128' }, https, 'proxy.example:3128'],
    ['the usual port of its scheme', { HTTPS_PROXY: 'https://p' }, https, 'p:443'],
    [
      'none for localhost',
      { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://p:1' },
      'http://localhost:4800',
      undefined,
    ],
    ['none for 127.0.0.1', { HTTP_PROXY: 'http://p:1' }, 'http://127.0.0.1:4800', undefined],
    ['none for ::1', { HTTPS_PROXY: 'http://p:1' }, 'https://[::1]:4800', undefined],
  ])('is %s', (_what, environment, url, host) => {
    expect(readProxies(environment)(url)?.host).toBe(host);
  });

  it.each([
    ['a.example, service.example', https, undefined],
    // What is below it, and not what only ends like it.
    ['example', https, undefined],
    ['ervice.example', https, 'p:1'],
    ['.example', https, undefined],
    ['*.example', https, undefined],
    ['*', https, undefined],
    ['service.example:443', https, undefined],
    ['service.example:8443', https, 'p:1'],
    ['2001:db8::1', 'https://[2001:db8::1]/', undefined],
  ])('under NO_PROXY=%s is, for %s, %s', (NO_PROXY, url, host) => {
    for (const names of [{ NO_PROXY }, { no_proxy: NO_PROXY }]) {
      expect(readProxies({ HTTPS_PROXY: 'http://p:1', ...names })(url)?.host).toBe(host);
    }
  });

  it.each(['socks5://p:1', 'ftp://p', 'http://', 'http://p:99999', 'http://%ZZ:x@p:1'])(
    'refuses %s, and does not repeat it',
    (value) => {
      expect(() => readProxies({ HTTPS_PROXY: value })).toThrow(BadProxyError);
      expect(() => readProxies({ HTTPS_PROXY: value })).not.toThrow(value);
    },
  );

  it('keeps the credentials out of everything but the header', () => {
    const proxy = readProxies({ HTTPS_PROXY: 'http://user:p%40ss@proxy.example:3128' })(https);
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    const { authorization: _secret, ...rest } = proxy ?? {};
    expect(JSON.stringify(rest)).not.toMatch(/user|p@ss|p%40ss/);
  });
});

describe('the way through a proxy', () => {
  let server: Served;
  let ca: string;
  let proxy: TestProxy;
  beforeAll(async () => {
    const authority = await createLocalAuthority(['service.example']);
    ca = authority.ca;
    server = await serve({
      host: '127.0.0.1',
      port: 0,
      build: async () => async () => new Response('hello'),
      log: silentLog,
      tls: authority.files,
    });
  });
  afterAll(() => server.close());
  afterEach(() => proxy.close());

  const fetchThrough = (url: string) =>
    createSystemFetch({ ca: [ca], proxyFor: readProxies({ HTTPS_PROXY: url }) });

  it('is a tunnel to the host, whose name the proxy looks up', async () => {
    proxy = await startProxy({ port: server.port });
    const answer = await fetchThrough(`http://127.0.0.1:${proxy.port}`)(`${https}/path`);
    expect(await answer.text()).toBe('hello');
    expect(proxy.seen).toEqual([{ target: 'service.example:443', authorization: undefined }]);
  });

  it('carries the credentials of the proxy to the proxy', async () => {
    proxy = await startProxy({ port: server.port });
    await fetchThrough(`http://user:s3cret@127.0.0.1:${proxy.port}`)(https);
    expect(proxy.seen[0]?.authorization).toBe('Basic dXNlcjpzM2NyZXQ=');
  });

  it('does not trust a proxy that answers in place of the server', async () => {
    proxy = await startProxy({ port: server.port });
    const fetch = fetchThrough(`http://127.0.0.1:${proxy.port}`);
    await expect(fetch('https://other.example/')).rejects.toMatchObject({ code: 'tls' });
  });

  it.each([
    [403, /does not connect to service\.example:443 \(403\)/],
    [502, /does not connect to service\.example:443 \(502\)/],
    [407, /asks for a user name and a password.*\(407\)/],
  ])('fails with the words of a proxy that answers %i', async (status, text) => {
    proxy = await startProxy({ status });
    const error = await failure(fetchThrough(`http://user:s3cret@127.0.0.1:${proxy.port}`)(https));
    expect(error.code).toBe('proxy');
    expect(error.message).toMatch(text);
    expect(error.message).toContain(`127.0.0.1:${proxy.port} (HTTPS_PROXY)`);
    expect(error.message).not.toMatch(/user:|s3cret/);
  });

  it('says that it is the proxy that is down, and which', async () => {
    proxy = await startProxy({ status: 200 });
    const { port } = proxy;
    await proxy.close();
    const error = await failure(fetchThrough(`http://user:s3cret@127.0.0.1:${port}`)(https));
    expect(error).toMatchObject({
      code: 'proxy',
      message: `the proxy 127.0.0.1:${port} (HTTPS_PROXY) cannot be used: nothing listens there`,
    });
    proxy = await startProxy({ status: 200 });
  });
});

async function failure(promise: Promise<unknown>): Promise<NetworkError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NetworkError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}
