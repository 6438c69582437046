import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../../src/cli/shell/environment.ts';
import { RuntimeFiles } from '../../../src/cli/shell/runtime-files.ts';
import {
  createMockService,
  type MockService,
  type MockServiceOptions,
  type ServiceFaultName,
  serve,
} from '../../../src/mock-service/index.ts';
import { SeededRandom } from '../../../src/runtime/fake.ts';
import { silentLog } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { type Machine, newMachine, type Run, type RunOptions, runCli } from './run-cli.ts';

/** A machine on real loopback ports: the suite speaks HTTP by itself, past the machine's fetch. */
export interface Judged {
  readonly machine: Machine;
  /** One line, split at spaces; then words that have some. */
  run(line: string, options?: RunOptions, ...words: readonly string[]): Promise<Run>;
  /** Starts a mock service and notes it as running, as `mock service` does. */
  start(
    faults?: readonly ServiceFaultName[],
    options?: Pick<MockServiceOptions, 'trust'>,
  ): Promise<{ readonly target: string }>;
  setFaults(faults: readonly ServiceFaultName[]): Promise<void>;
  /** Of the started mock. Milliseconds. */
  clockOffset(): Promise<number>;
  /** How many the started mock has. */
  registrations(): Promise<number>;
  close(): Promise<void>;
}

/** Of the controls of a started mock. */
export const TOKEN = 'ctl_for-tests-alone-0123456789';

export async function judgedMachine(): Promise<Judged> {
  const home = mkdtempSync(join(tmpdir(), 'agent-auth-judged-'));
  const fetch = createSystemFetch();
  const machine: Machine = { ...newMachine(), network: fetch };
  const closing: (() => Promise<void>)[] = [];
  let mock: MockService | undefined;
  const started = () => {
    if (mock === undefined) throw new Error('No mock was started.');
    return mock.controls;
  };
  return {
    machine,
    run: (line, options = {}, ...words) =>
      runCli(machine, [...line.split(' '), ...words], {
        ...options,
        env: { XDG_RUNTIME_DIR: home, ...options.env },
      }),
    start: async (faults = [], options = {}) => {
      const served = await serve({
        host: '127.0.0.1',
        port: 0,
        log: silentLog,
        build: async (origin) => {
          mock = await createMockService({
            baseUrl: origin,
            clock: machine.clock,
            random: new SeededRandom(7),
            fetch,
            log: silentLog,
            control: { token: TOKEN },
            faults,
            ...options,
          });
          return mock.fetch;
        },
      });
      closing.push(
        () => served.close(),
        async () => mock?.close(),
      );
      const target = served.origin;
      const environment = readEnvironment(
        { XDG_RUNTIME_DIR: home },
        { platform: 'linux', inContainer: () => false },
      );
      new RuntimeFiles(environment).write({
        pid: process.pid,
        started: 1,
        service: target,
        provider: null,
        ca: null,
        control: { token: TOKEN, service: target, provider: null },
      });
      return { target };
    },
    setFaults: async (faults) => {
      await started().setFaults(faults);
    },
    clockOffset: async () => (await started().state()).clockOffset,
    registrations: async () => (await started().registrations()).length,
    close: async () => {
      for (const close of closing) await close();
      rmSync(home, { recursive: true });
    },
  };
}

/** Anything that listens on a port of loopback, for targets that are no service. */
export async function listening(
  onConnection: (socket: Socket) => void,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
