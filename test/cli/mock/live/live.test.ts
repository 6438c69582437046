import { get } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemSleep } from '../../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { LiveReader } from '../../../support/live-reader.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { until } from '../../../support/until.ts';
import { type Machine, newMachine, type Run, runCli } from '../../support/run-cli.ts';
import { serving as servingOn } from '../../support/serving.ts';

const network = createSystemFetch();
let runtime: string;
let machine: Machine;
beforeEach(() => {
  runtime = testFolder();
  // Streams beat while they are open: in a world without real time that would be without end.
  machine = { ...newMachine(), network, onSleep: () => systemSleep(5) };
});

interface Ready {
  readonly service: string;
  readonly provider: string;
  readonly live: string | null;
}

const run = (line: string): Promise<Run> =>
  runCli(machine, line.split(' '), { env: { XDG_RUNTIME_DIR: runtime } });

const serving = (line: string, during: (ready: Ready) => Promise<void>): Promise<Run> =>
  servingOn(machine, `${line} --json`.split(' '), { XDG_RUNTIME_DIR: runtime }, async (ready) =>
    during(JSON.parse(ready)),
  );

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function watching(link: string | null): Promise<LiveReader> {
  const reader = await LiveReader.open(link ?? 'http://127.0.0.1:1/no-link');
  await reader.watch();
  return reader;
}

describe('the live view of the mocks', () => {
  it('shows both while it happens: exchanges, registrations, codes and pages', async () => {
    await serving('mock up --port 0', async ({ live, service }) => {
      const reader = await watching(live);
      await post(`${service}/agent/identity`, {
        type: 'service_auth',
        login_hint: 'bob@example.com',
      });
      const { parties, registrations, title } = await reader.sees(
        // It is stored a moment before its code is there to be shown.
        (now) => typeof now.registrations[0]?.attempt?.user_code === 'string',
      );
      expect(title).toBe('Example Service and Example Provider');
      expect(parties.map(({ role }) => role)).toEqual(['service', 'provider']);
      expect(registrations).toMatchObject([
        {
          state: 'pending',
          email: 'bob@example.com',
          attempt: { user_code: expect.stringMatching(/^\d{6}$/), wrong_codes: 0 },
          history: [
            { actor: 'agent', action: 'registration.created' },
            { actor: 'agent', action: 'claim.started' },
          ],
        },
      ]);
      const page = await fetch(registrations[0]?.attempt?.page ?? '', { redirect: 'manual' });
      expect(page.headers.get('location')).toContain('/login');
      // Told as soon as its answer begins, it may be told again once the body has come.
      const registered = () => reader.exchanges.findLast(({ step }) => step === 'register');
      await until(() => registered()?.response.body_state === 'whole');
      expect(registered()).toMatchObject({ from: 'agent', state: 'pending' });
      // What the view does itself is none of it.
      expect(reader.exchanges.filter(({ path }) => path.startsWith('/__'))).toEqual([]);
      expect(JSON.stringify(reader.exchanges)).not.toContain(registrations[0]?.attempt?.user_code);
    });
  });

  it('does what its buttons say', async () => {
    await serving('mock up --port 0', async ({ live, service }) => {
      const reader = await watching(live);
      const register = (login_hint: string) =>
        post(`${service}/agent/identity`, { type: 'service_auth', login_hint });
      await register('bob@example.com');
      const [bob] = (await reader.sees((now) => now.registrations.length === 1)).registrations;
      const about = { registration_id: bob?.id };
      expect(await reader.press('complete', about)).toMatchObject({ status: 200 });
      await reader.sees((now) => now.registrations[0]?.state === 'claimed');
      expect(await reader.press('deny', about)).toMatchObject({ status: 409 });
      await register('carol@example.com');
      const [carol] = (await reader.sees((now) => now.registrations.length === 2)).registrations;
      const denied = await reader.press('deny', { registration_id: carol?.id });
      expect(denied.message).toBe('The registration is lapsed now.');
      expect(await reader.press('revoke', about)).toMatchObject({ status: 200 });
      await reader.sees((now) => now.registrations.some(({ state }) => state === 'revoked'));
      expect(await reader.press('clock', { advance: '11m' })).toMatchObject({ status: 200 });
      await reader.sees((now) => now.parties.every((party) => party.clock_offset_ms === 660_000));
      expect(await reader.press('clock', { advance: 'soon' })).toEqual({
        status: 400,
        message: 'Say how far the clock goes: 90s, 11m or 1h30m.',
      });
      expect(
        await reader.press('faults', { role: 'service', faults: ['noSlowDown'] }),
      ).toMatchObject({ status: 200 });
      await reader.sees((now) => now.parties[0]?.faults.some(({ on }) => on) === true);
      expect(await reader.press('rotate', { role: 'nobody' })).toMatchObject({ status: 404 });
      expect(await reader.press('rotate', { role: 'provider' })).toMatchObject({ status: 200 });
      expect(await reader.press('reset', {})).toMatchObject({
        status: 200,
        message: expect.stringContaining('except the signing keys'),
      });
      await reader.comeBack();
      expect((await reader.sees(() => true)).registrations).toEqual([]);
    });
  });

  it('sees what a command of another terminal does', async () => {
    await serving('mock up --port 0', async ({ live }) => {
      const reader = await watching(live);
      await reader.sees(() => true);
      await run('mock advance 1h');
      await reader.sees((now) => now.parties[0]?.clock_offset_ms === 3_600_000);
    });
  });

  it('answers by a name that was allowed, and by no other', async () => {
    await serving('mock service --port 0 --allow-host mock.internal', async ({ service }) => {
      const statusAt = (host: string) =>
        new Promise((resolve, reject) => {
          get(`${service}/__live/events`, { headers: { host } }, (answer) => {
            answer.resume().once('end', () => resolve(answer.statusCode));
          }).once('error', reject);
        });
      expect(await statusAt('mock.internal')).toBe(401);
      expect(await statusAt('evil.example')).toBe(421);
    });
  });

  it('ends at once when its mock does', async () => {
    let reader: LiveReader | undefined;
    await serving('mock service --port 0', async ({ live }) => {
      reader = await watching(live);
      await reader.sees(() => true);
    });
    await until(() => reader?.isOver === true);
  });
});

describe('mock open', () => {
  it('makes a new link, also from the provider of a pair, and opens no browser for a program', async () => {
    await serving('mock up --port 0', async ({ service }) => {
      for (const part of ['', ' service', ' provider']) {
        const { json, code } = await run(`mock open${part} --json`);
        const [answer] = json() as [{ url: string }];
        expect([code, answer.url.startsWith(`${service}/__live?ticket=`)]).toEqual([0, true]);
        await LiveReader.open(answer.url);
        await expect(LiveReader.open(answer.url)).rejects.toThrow('403');
      }
    });
  });

  it('says that there is no view', async () => {
    await serving('mock service --port 0 --no-live', async ({ live }) => {
      expect(live).toBeNull();
      const { code, stderr } = await run('mock open');
      expect([code, stderr]).toEqual([1, expect.stringContaining('has no live view')]);
    });
  });

  it('is shut without controls', async () => {
    await serving('mock service --port 0 --no-control', async ({ live, service }) => {
      expect(live).toBeNull();
      expect((await fetch(`${service}/__live/events`)).status).toBe(404);
    });
  });
});
