import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Watchdog } from './watchdog.ts';

const start = (script: string) =>
  spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });

it('ends what runs, and what that has started, once the pipe of the tests ends', async () => {
  const watchdog = new Watchdog();
  // Its stdout closes when the last process of the group has ended.
  const server = start('sleep 300 & sleep 300');
  const over = start('exit 3');
  watchdog.watch(server);
  watchdog.watch(over);
  expect(await once(over, 'close')).toEqual([3, null]);
  expect(server.exitCode).toBe(null);
  const closed = once(server, 'close');
  watchdog.end();
  expect(await closed).toEqual([null, 'SIGKILL']);
});
