import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../../src/mock/http/serve.ts';
import { silentLog } from '../../../src/runtime/index.ts';
import { systemSleep } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { createSystemForward } from '../../../src/runtime/system-forward.ts';
import { freePort } from '../../support/free-port.ts';
import { LiveReader } from '../../support/live-reader.ts';
import { testFolder } from '../../support/test-folder.ts';
import { until } from '../../support/until.ts';
import { type Machine, newMachine, type Run, runCli } from '../support/run-cli.ts';
import { serving } from '../support/serving.ts';

let runtime: string;
let machine: Machine;
let service: Served;
/** What the service behind was asked. */
let asked: Request[];

beforeEach(async () => {
  runtime = testFolder();
  asked = [];
  service = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async () => async (request) => {
      asked.push(request);
      const { pathname } = new URL(request.url);
      return pathname === '/agent/identity'
        ? Response.json({
            registration_id: 'reg_0123456789abcdef',
            access_token: 'at_0123456789abcdef',
          })
        : new Response(`the service's own ${pathname}`);
    },
  });
  machine = {
    ...newMachine(),
    network: createSystemFetch(),
    forward: createSystemForward(),
    // Streams beat while they are open: in a world without real time that would be without end.
    onSleep: () => systemSleep(5),
  };
});
afterEach(() => service.close());

interface Ready {
  readonly service: string;
  readonly live: string | null;
}

const env = () => ({ XDG_RUNTIME_DIR: runtime });

const proxying = (flags: readonly string[], during: (ready: Ready) => Promise<void>) => {
  const line = ['proxy', '--to', service.origin, '--port', '0', '--json', ...flags];
  return serving(machine, line, env(), async (ready) => during(JSON.parse(ready) as Ready));
};

const run = (...line: readonly string[]): Promise<Run> => runCli(machine, line, { env: env() });

const register = (origin: string) =>
  fetch(`${origin}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"type":"anonymous"}',
  });

describe('the live view of the proxy', () => {
  it('shows the exchanges, what is wrong with them, and who is behind', async () => {
    await proxying([], async (ready) => {
      const reader = await LiveReader.open(ready.live ?? '');
      await reader.watch();
      await register(ready.service);
      await until(() => reader.exchanges.length > 0);
      // What was not whole is told twice.
      const told = reader.exchanges.at(-1);
      const at = { to: 'service', step: 'register', path: '/agent/identity' };
      expect(told).toMatchObject({ seq: 1, from: 'agent', ...at });
      expect(reader.exchanges.every(({ seq }) => seq === 1)).toBe(true);
      expect(told?.findings).toContainEqual(
        expect.objectContaining({ by: 'service', seq: 1, message: expect.any(String) }),
      );
      expect(JSON.stringify(reader.exchanges)).not.toContain('at_0123456789abcdef');
      const { has_controls, parties, registrations } = await reader.sees(
        (now) => now.registrations.length > 0,
      );
      expect(parties).toMatchObject([{ role: 'service', issuer: service.origin }]);
      expect(has_controls).toBe(false);
      expect(registrations).toMatchObject([
        { id: 'reg_0123456789abcdef', type: 'anonymous', state: 'unclaimed', attempt: null },
      ]);
      // They are the servers of others.
      expect(await reader.press('reset', {})).toMatchObject({ status: 409 });
    });
  });

  it('takes no path away from the service, and none of its cookies goes there', async () => {
    await proxying([], async (ready) => {
      const headers = { accept: 'text/html', cookie: 'agent_auth_live_1=secret; at_all=1' };
      const paths = ['/', '/__live?ticket=x', '/__live/events', '/__mock/live'];
      for (const path of paths) {
        const answer = await fetch(ready.service + path, { headers });
        expect(await answer.text()).toBe(`the service's own ${path.replace(/\?.*/, '')}`);
      }
      expect(asked).toHaveLength(paths.length);
      expect(asked.map((request) => request.headers.get('cookie') ?? '').join()).not.toContain(
        'agent_auth_live',
      );
    });
  });

  it('lets in by the link alone, once', async () => {
    await proxying([], async ({ live }) => {
      const link = live ?? '';
      const { origin } = new URL(link);
      expect(new URL(link).hostname).toBe('127.0.0.1');
      const stranger = await fetch(`${origin}/`, { headers: { accept: 'text/html' } });
      expect([stranger.status, await stranger.text()]).toEqual([
        403,
        expect.stringContaining('proxy open'),
      ]);
      expect((await fetch(`${origin}/__live/events`)).status).toBe(401);
      expect((await fetch(`${origin}/__mock/live`, { method: 'POST' })).status).toBe(401);
      expect((await fetch(`${origin}/agent/identity`)).status).toBe(404);
      expect((await fetch(link)).status).toBe(200);
      const again = await fetch(link);
      expect([again.status, await again.text()]).toEqual([
        403,
        expect.stringContaining('proxy open'),
      ]);
      expect(asked).toEqual([]);
    });
  });

  it('is opened again by a command', async () => {
    await proxying([], async ({ live }) => {
      const opened = await run('proxy', 'open', '--json');
      const [answer] = opened.json();
      expect(answer).toMatchObject({ schema: 'agent-auth.proxy-open/1', to: service.origin });
      expect(new URL(String(answer?.['url'])).origin).toBe(new URL(live ?? '').origin);
      await LiveReader.open(String(answer?.['url']));
      const other = await run('proxy', 'open', '--live', 'http://127.0.0.1:1');
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('No proxy on this')]);
    });
    const after = await run('proxy', 'open');
    expect([after.code, after.stderr]).toEqual([2, expect.stringContaining('No proxy with')]);
  });

  it('is opened in the browser by --open, with a link of its own', async () => {
    let live: string | null = null;
    const over = await proxying(['--open'], async (ready) => {
      live = ready.live;
    });
    expect(over.opened).toHaveLength(1);
    expect(over.opened[0]).toContain('/__live?ticket=');
    expect(over.opened[0]).not.toBe(live);
  });

  it('has the port that is asked for, or says that it is taken', async () => {
    const port = await freePort();
    await proxying(['--live-port', String(port)], async ({ live }) => {
      expect(new URL(live ?? '').port).toBe(String(port));
    });
    const taken = await proxying(['--live-port', new URL(service.origin).port], async () => {});
    expect(taken.code).toBe(1);
    expect(taken.json()).toMatchObject([{ error: { code: 'listen_in_use' } }]);
  });

  it('is left out with --no-live', async () => {
    await proxying(['--no-live'], async ({ live }) => {
      expect(live).toBeNull();
      expect((await run('proxy', 'open')).code).toBe(2);
    });
    expect((await run('proxy', '--to', service.origin, '--no-live', '--open')).code).toBe(2);
  });
});
