import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, it } from 'vitest';
import { createMockService, type ServiceFaultName } from '../../../src/mock-service/index.ts';
import { silentLog, systemClock, systemRandom } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { freePort } from '../../support/free-port.ts';
import { type Judged, judgedMachine } from '../support/judged.ts';

let judged: Judged | undefined;
let server: Server | undefined;
afterEach(async () => {
  await judged?.close();
  server?.closeAllConnections();
  server?.close();
});

async function listen(port: number, faults: readonly ServiceFaultName[]): Promise<string> {
  const opened = createServer();
  server = opened;
  await new Promise<void>((listening) => opened.listen(port, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${port}`;
  const mock = await createMockService({
    ...{ baseUrl: origin, clock: systemClock, random: systemRandom, fetch: createSystemFetch() },
    ...{ faults, log: silentLog },
  });
  opened.on('request', getRequestListener(mock.fetch, { overrideGlobalObjects: false }));
  return origin;
}

it('judges a service again when it has restarted, until Ctrl-C', async () => {
  judged = await judgedMachine();
  const port = await freePort();
  const origin = await listen(port, ['uncheckedUserCode']);
  const { machine } = judged;
  let runs = 0;
  const line = `conformance service ${origin} --rerun --report markdown=- --only wrong-codes.nothing-claimed`;
  const { code, stdout } = await judged.run(line, {
    tty: false,
    meanwhile: ({ stderr, stop }) => {
      stderr.on('data', (text: Buffer | string) => {
        if (!String(text).includes('Judging again when')) return;
        runs += 1;
        if (runs === 2) return stop();
        // Only once the program keeps a connection, and until it has found that nothing listens.
        server?.once('connection', () => {
          server?.close();
          server?.closeAllConnections();
          machine.onSleep = async (ms) => {
            if (ms !== 100) return;
            machine.onSleep = undefined;
            await listen(port, []);
          };
        });
      });
    },
  });
  expect(code).toBe(130);
  expect(stdout.match(/^#.*(Does not conform|Conforms)/gm)).toHaveLength(2);
  expect(stdout).toMatch(/Does not conform[\s\S]*# .*Conforms/);
});

it('--rerun is refused beside --mock, which never restarts', async () => {
  judged = await judgedMachine();
  const { code, stderr } = await judged.run('conformance service --mock --rerun');
  expect([code, stderr]).toEqual([2, expect.stringContaining('leave --rerun out')]);
});
