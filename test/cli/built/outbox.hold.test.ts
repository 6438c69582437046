import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { Home, isBuilt, NOT_BUILT, type Program } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

/** A mock with its data in a file. */
async function mock(part: 'service' | 'provider', port: number, options: string) {
  const file = join(home.folder, `${part}.db`);
  const program = home.start(`mock ${part} --port ${port} --db ${file} ${options} --json`);
  await program.until(/"ready"/);
  const ready = JSON.parse(program.stdout.split('\n')[0] ?? '') as Record<string, string>;
  const url = ready[part] ?? '';
  return { program, url, port };
}

async function kill({ child, ended }: Program): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

describe.runIf(isBuilt)('an event that cannot be told', () => {
  it('outlives a killed provider, and is told once both are back', async () => {
    const provider = await mock('provider', await freePort(), '--auto-approve dana@example.com');
    const trust = `--trust ${provider.url}`;
    const service = await mock('service', await freePort(), trust);
    await home.run(`provider login ${provider.url}`);
    const registered = await home.run(`register ${service.url} --provider ${provider.url} --json`);
    expect(registered.code).toBe(0);
    const authorization = `Bearer ${(await home.run('token')).stdout.trim()}`;
    const access = async () =>
      (await fetch(`${service.url}/api/resource`, { headers: { authorization } })).status;
    expect(await access()).toBe(200);

    await kill(service.program);
    const revoked = await home.run(`provider revoke ${provider.url} --json`);
    expect([revoked.code, JSON.parse(revoked.stdout)]).toMatchObject([
      0,
      { status: 'revoked', event: 'pending', event_problem: { code: 'network_refused' } },
    ]);
    await kill(provider.program);

    const back = await mock('service', service.port, trust);
    expect(await access()).toBe(200);
    await mock('provider', provider.port, '--auto-approve dana@example.com');
    for (const { url } of [provider, service]) {
      expect((await home.run(`mock advance 15s --service ${url}`)).code).toBe(0);
    }
    await back.program.until(/"path":"\/agent\/event\/notify","status":202/);
    expect(await access()).toBe(401);
    const outbox = await home.run('mock outbox --json');
    expect(JSON.parse(outbox.stdout)).toMatchObject({ events: [{ state: 'delivered' }] });
  });
});
