import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import { hostCheck } from '../../../src/mock/http/host-check.ts';
import type { Served } from '../../../src/mock/http/serve.ts';
import { silentLog } from '../../../src/runtime/index.ts';
import { createMockProvider } from '../../../src/testing/mock-provider.ts';
import { createMockService, serve } from '../../../src/testing/mock-service.ts';
import { connected } from '../../support/connected.ts';

interface Arrival {
  readonly issuer?: string;
  readonly allowedHosts?: readonly string[];
  readonly bound?: string;
  readonly port?: number;
  readonly isTls?: boolean;
  readonly target?: string;
}

/** Whether a request with that Host is taken. */
function isTaken(
  host: string,
  { issuer = 'http://127.0.0.1:4800', allowedHosts = [], ...at }: Arrival = {},
): boolean {
  const { bound = '127.0.0.1', isTls = false, port = 4800, target } = at;
  const arrival = { bound: { host: bound, port, isTls }, host, ...(target && { target }) };
  return hostCheck({ issuer, allowedHosts })(connected(new Request(issuer), arrival));
}

describe('the host that a request names', () => {
  it.each<[what: string, host: string, at?: Arrival]>([
    ['the bound place', '127.0.0.1:4800'],
    ['a loopback name', 'localhost:4800'],
    ['a name below localhost', 'acme.localhost:4800'],
    ['another address of loopback', '127.1.2.3:4800'],
    ['loopback of IPv6', '[::1]:4800'],
    ['any case', 'LocalHost:4800'],
    ['a final dot', 'localhost.:4800'],
    ['the base', 'mock.example', { issuer: 'https://mock.example' }],
    ['the base with its usual port', 'mock.example:443', { issuer: 'https://mock.example' }],
    ['the base on a port', 'mock.example:8443', { issuer: 'https://mock.example:8443' }],
    ['what a proxy in front listens on', '127.0.0.1:4800', { issuer: 'https://mock.example' }],
    ['loopback behind a wildcard', 'localhost:4800', { bound: '0.0.0.0' }],
    ['loopback behind the wildcard of IPv6', '[::1]:4800', { bound: '::' }],
    ['a bound IP address', '192.0.2.7:4800', { bound: '192.0.2.7' }],
    ['a bound IPv6 address with a zone', '[fe80::1]:4800', { bound: 'fe80::1%eth0' }],
    ['a bound name', 'mock.internal:4800', { bound: 'mock.internal' }],
    ['the usual port', 'localhost', { port: 80 }],
    ['the usual port of https', 'localhost', { port: 443, isTls: true }],
    ['an allowed host, on any port', 'mock.internal:9', { allowedHosts: ['mock.internal'] }],
    ['an allowed host with its port', 'Mock.Internal:9', { allowedHosts: ['mock.internal:9'] }],
    ['an allowed host of https', 'mock.internal', { allowedHosts: ['mock.internal:443'] }],
    ['an allowed IPv6 address', '[2001:db8::1]:9', { allowedHosts: ['2001:db8::1'] }],
    ['a target with its own URL', '127.0.0.1:4800', { target: 'http://localhost:4800/x' }],
  ])('may be %s', (_what, host, at) => {
    expect(isTaken(host, at)).toBe(true);
  });

  it.each<[what: string, host: string, at?: Arrival]>([
    ['a name that leads here', 'evil.example:4800'],
    ['a name that ends like loopback', 'localhost.evil.example:4800'],
    ['a name that begins like loopback', '127.0.0.1.evil.example:4800'],
    ['another port', 'localhost:4801'],
    ['no port', 'localhost'],
    ['the usual port of the other scheme', 'localhost', { port: 443 }],
    ['another IP address of the machine', '192.0.2.7:4800'],
    ['that too, of a wildcard', '192.0.2.7:4800', { bound: '0.0.0.0' }],
    ['loopback, where it does not lead here', 'localhost:4800', { bound: '192.0.2.7' }],
    ['the base on another port', 'mock.example:8080', { issuer: 'https://mock.example' }],
    ['a name below the base', 'a.mock.example', { issuer: 'https://mock.example' }],
    ['an allowed host on another port', 'mock.test:8', { allowedHosts: ['mock.test:9'] }],
    ['a user', 'localhost:4800@evil.example'],
    ['a user before loopback', 'evil.example@localhost:4800'],
    ['a zone', '[::1%25lo]:4800'],
    ['a path', 'localhost:4800/evil.example'],
    ['two hosts', 'localhost:4800, evil.example'],
    ['nothing', ''],
    ['an escape', 'loc%61lhost:4800'],
    ['a port that is none', 'localhost:99999'],
    ['a target elsewhere', '127.0.0.1:4800', { target: 'http://evil.example:4800/' }],
    ['a target that is no URL', '127.0.0.1:4800', { target: '*' }],
  ])('may not be %s', (_what, host, at) => {
    expect(isTaken(host, at)).toBe(false);
  });

  it('is not looked at where there is no connection', () => {
    const isOurHost = hostCheck({ issuer: 'http://127.0.0.1:4800', allowedHosts: [] });
    expect(isOurHost(new Request('http://evil.example/'))).toBe(true);
  });

  it.each(['https://mock.test', '*.mock.test', 'mock.test/', 'a b', '', 'mock.test:0x1'])(
    'is allowed by a host, not by %j',
    async (host) => {
      const creating = createMockService({ allowedHosts: [host] });
      await expect(creating).rejects.toThrow(`allowedHosts: ${JSON.stringify(host)}`);
    },
  );
});

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const MOCKS = {
  service: createMockService,
  provider: (options: { baseUrl: string }) =>
    createMockProvider({ autoApprove: 'a@b.example', ...options }),
} as const;

async function start(mock: keyof typeof MOCKS, options: { baseUrl?: string } = {}, isTls = false) {
  const authority = isTls ? await createLocalAuthority(['127.0.0.1']) : undefined;
  const served: Served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    tls: authority?.files,
    build: async (origin) => {
      const created = await MOCKS[mock]({ baseUrl: origin, ...options });
      open.push(() => created.close());
      return created.fetch;
    },
  });
  open.push(() => served.close());
  return { port: served.port, ca: authority?.ca };
}

/** The answer to one request whose lines are given. */
async function ask(port: number, lines: readonly string[], ca?: string): Promise<string> {
  const socket =
    ca === undefined ? connect(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', ca });
  socket.on('error', () => {});
  await once(socket, ca === undefined ? 'connect' : 'secureConnect');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

const METADATA = '/.well-known/oauth-authorization-server';
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe.each(['service', 'provider'] as const)('a %s that is served', (mock) => {
  it('answers for its own names and refuses a rebound one, whatever is asked', async () => {
    const { port } = await start(mock);
    const get = (path: string, host: string, method = 'GET') =>
      ask(port, [`${method} ${path} HTTP/1.1`, `Host: ${host}`]);
    expect(statusOf(await get(METADATA, `127.0.0.1:${port}`))).toBe(200);
    expect(statusOf(await get(METADATA, `localhost:${port}`))).toBe(200);
    for (const path of [METADATA, '/sign-in', '/device', '/nothing', '/__mock']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await get(path, `evil.example:${port}`, method);
        expect(statusOf(answer)).toBe(421);
        expect(answer).toContain('--allow-host');
        expect(answer).not.toContain('evil.example');
      }
    }
  });

  it('tells a browser so on a page that loads nothing, and a program in plain text', async () => {
    const { port } = await start(mock);
    const open = (accept: string) =>
      ask(port, ['GET /login HTTP/1.1', 'Host: evil.example', `Accept: ${accept}`]);
    const page = await open('text/html');
    expect(statusOf(page)).toBe(421);
    expect(page).toContain('<h1>Wrong host</h1>');
    expect(page).not.toMatch(/evil\.example|href=|src=/);
    expect(await open('application/json')).not.toContain('<');
  });

  it('believes no forwarding header', async () => {
    const { port } = await start(mock);
    const lines = [`GET ${METADATA} HTTP/1.1`, 'Host: evil.example'];
    const forwarded = [`X-Forwarded-Host: 127.0.0.1:${port}`, `Forwarded: host=127.0.0.1:${port}`];
    expect(statusOf(await ask(port, [...lines, ...forwarded]))).toBe(421);
  });

  it('takes one Host and no other number of them', async () => {
    const { port } = await start(mock);
    const own = `Host: 127.0.0.1:${port}`;
    const line = `GET ${METADATA} HTTP/1.1`;
    expect(statusOf(await ask(port, [line, own, own]))).toBe(400);
    expect(statusOf(await ask(port, [line, own, 'host: evil.example']))).toBe(400);
    expect(statusOf(await ask(port, [line, 'host: evil.example', own]))).toBe(400);
    expect(statusOf(await ask(port, [line]))).toBe(400);
    expect(statusOf(await ask(port, [`GET ${METADATA} HTTP/1.0`]))).toBe(400);
    expect(statusOf(await ask(port, [line, `${own}@evil.example`]))).toBe(400);
  });

  it('looks at the URL of the request line as well as at Host', async () => {
    const { port } = await start(mock);
    const [own, evil] = [`127.0.0.1:${port}`, 'evil.example'];
    const get = (target: string, host: string) =>
      ask(port, [`GET http://${target}${METADATA} HTTP/1.1`, `Host: ${host}`]);
    expect(statusOf(await get(own, own))).toBe(200);
    expect(statusOf(await get(evil, own))).toBe(421);
    expect(statusOf(await get(own, evil))).toBe(421);
    expect(statusOf(await get(`evil.example@${own}`, own))).toBe(400);
    expect(statusOf(await get(`${own}@evil.example`, own))).toBe(400);
  });

  it('works behind a proxy that passes its own host or the one in front', async () => {
    const { port } = await start(mock, { baseUrl: 'https://mock.example' });
    const get = (host: string) => ask(port, [`GET ${METADATA} HTTP/1.1`, `Host: ${host}`]);
    expect(statusOf(await get('mock.example'))).toBe(200);
    expect(statusOf(await get(`127.0.0.1:${port}`))).toBe(200);
    expect(statusOf(await get('other.example'))).toBe(421);
  });

  it('checks the same over TLS', async () => {
    const { ca, port } = await start(mock, {}, true);
    const get = (host: string) => ask(port, [`GET ${METADATA} HTTP/1.1`, `Host: ${host}`], ca);
    expect(statusOf(await get(`127.0.0.1:${port}`))).toBe(200);
    expect(statusOf(await get(`localhost:${port}`))).toBe(200);
    expect(statusOf(await get('localhost'))).toBe(421);
  });
});
