import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLocalAuthority } from '../../../src/cli/mock/servers/mock-tls.ts';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { createMockService } from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { startProxy, type TestProxy } from '../../support/proxy.ts';
import { type Machine, newMachine, runCli } from '../support/run-cli.ts';

const SERVICE = 'https://service.example';

let folder: string;
let server: Served;
let ca: string;
let proxy: TestProxy;
let machine: Machine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  const authority = await createLocalAuthority(['service.example']);
  ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.ca);
  const { clock } = newMachine();
  server = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    tls: authority.files,
    build: async () => {
      const service = await createMockService({
        baseUrl: SERVICE,
        clock,
        random: new SeededRandom(7),
        fetch: createSystemFetch(),
        log: silentLog,
      });
      return service.fetch;
    },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  machine = { ...newMachine(), connect: createSystemFetch };
});
afterEach(() => proxy.close());

const run = (line: string, env: Record<string, string>) =>
  runCli(machine, `${line} --ca ${ca}`.split(' '), { env });

describe('a service behind a proxy', () => {
  it('is registered with and called, and nothing secret is seen on the way', async () => {
    proxy = await startProxy({ port: server.port });
    const env = { https_proxy: `http://user:s3cret@127.0.0.1:${proxy.port}` };
    const lines = [
      `register ${SERVICE} --debug`,
      'claim --email alice@example.com --no-wait --debug',
      'claim wait --timeout 20s --debug',
      'call /api/resource --debug',
      'skill --debug',
      'revoke --debug',
    ];
    let shown = '';
    for (const line of lines) shown += (await run(line, env)).stderr;
    expect(proxy.seen.length).toBeGreaterThan(0);
    expect(new Set(proxy.seen.map(({ target }) => target))).toEqual(
      new Set(['service.example:443']),
    );
    const traced = shown.match(/^debug .*$/gm) ?? [];
    for (const each of traced) expect(each).toContain(` through 127.0.0.1:${proxy.port} → `);
    for (const path of [
      '/agent/identity',
      '/oauth2/token',
      '/api/resource',
      '/auth.md',
      '/oauth2/revoke',
    ]) {
      expect(traced.join('\n')).toContain(`${SERVICE}${path} `);
    }
    expect(shown).not.toMatch(/s3cret|user:|dXNlcj|\bat_|clm_|eyJ/);
    // The page of the claim is shown to its user, and masked here.
    expect(traced.join('\n')).not.toContain('cat_');
  });

  it('is said to be out of reach because of the proxy, by its name: exit 7', async () => {
    proxy = await startProxy({ status: 403 });
    const env = { HTTPS_PROXY: `http://user:s3cret@127.0.0.1:${proxy.port}` };
    const { code, stderr } = await run(`discover ${SERVICE}`, env);
    expect(code).toBe(7);
    expect(stderr).toContain(
      `the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY) does not connect to service.example:443 (403)`,
    );
    expect(stderr).toContain('NO_PROXY');
    expect(stderr).not.toContain('s3cret');
  });

  it('cannot be reached through what is no proxy: exit 7', async () => {
    proxy = await startProxy({ status: 403 });
    const { code, stderr } = await run(`discover ${SERVICE}`, {
      HTTPS_PROXY: 'socks5://u:s3cret@p',
    });
    expect(code).toBe(7);
    expect(stderr).toContain('HTTPS_PROXY is not the URL of an http or https proxy.');
    expect(stderr).not.toContain('s3cret');
  });
});
