import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, isBuilt, NOT_BUILT } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

describe.runIf(isBuilt)('the built program, several times at once', () => {
  it('loses none of eight registrations that are made in one home at the same time', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    const programs = Array.from({ length: 8 }, () => home.start('register --new --json'));
    const codes = await Promise.all(programs.map((program) => program.ended));
    expect(codes).toEqual(Array(8).fill(0));
    const made = programs.map(
      ({ stdout }) => (JSON.parse(stdout) as { registration: { id: string } }).registration,
    );
    const [service] = JSON.parse((await home.run('status --json')).stdout).services;
    const stored = (service.registrations as Record<string, unknown>[]).map(
      (each) => each['registration_id'],
    );
    expect(stored).toHaveLength(8);
    expect(JSON.stringify(made.map((each) => Object.values(each)))).toSatisfy((text: string) =>
      stored.every((id) => text.includes(String(id))),
    );
    expect(readdirSync(join(home.folder, 'home'))).toEqual(['credentials.json']);
  });

  it('opens its file again after it was killed at any moment of registering', async () => {
    const mock = home.start('mock service --port 0 --json');
    await mock.until(/"ready"/);
    await home.run('register');
    const file = join(home.folder, 'home', 'credentials.json');
    for (let round = 0; round < 6; round += 1) {
      const before = registrations(file);
      const program = home.start('register --new');
      // The mock answers, and the program begins to store: another moment after that each time.
      const asked = mock.stdout.split('/agent/identity').length;
      await until(() => mock.stdout.split('/agent/identity').length !== asked);
      const moment = performance.now() + round * 4;
      while (performance.now() < moment) await tick();
      program.child.kill('SIGKILL');
      await program.ended;
      expect(registrations(file)).toEqual(expect.arrayContaining(before));
    }
    // Waits for the lock of the dead one, if there is one, and goes on.
    expect((await home.run('register')).code).toBe(0);
    expect((await home.run('call /api/resource')).code).toBe(0);
  });
});

const tick = () => new Promise((resolve) => setImmediate(resolve));

function registrations(file: string): string[] {
  const { services } = JSON.parse(readFileSync(file, 'utf8')) as {
    services: { registrations: { registration_id: string }[] }[];
  };
  return services.flatMap((service) => service.registrations.map((each) => each.registration_id));
}
