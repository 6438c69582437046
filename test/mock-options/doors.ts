import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockProvider } from '../../src/mock-provider/index.ts';
import { createMockService, serve } from '../../src/mock-service/index.ts';
import {
  FakeClock,
  type Fetch,
  SeededRandom,
  silentLog,
  systemSleep,
} from '../../src/runtime/index.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';
import { newMachine, type Run } from '../cli/support/run-cli.ts';
import { serving } from '../cli/support/serving.ts';
import { FakeProvider, PROVIDER } from '../mock-service/harness.ts';
import { Probed } from './probed.ts';
import type { MockCommand, Row } from './row.ts';

const network = createSystemFetch();

/** Through the library: the mock that the row is about, with these options. */
export async function throughLibrary<T>(
  of: Row['of'],
  options: object,
  probe: (mock: Probed) => Promise<T>,
): Promise<T> {
  const clock = new FakeClock();
  const other = await otherProvider(clock);
  const given = { clock, random: new SeededRandom(), fetch: other.fetch, log: silentLog };
  let issuer = '';
  const served = await serve({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    build: async (origin) => {
      const all = { baseUrl: origin, ...given, ...options };
      const mock = await (of === 'service' ? createMockService(all) : createMockProvider(all));
      issuer = mock.issuer;
      return (request) => mock.fetch(request);
    },
  });
  try {
    const { origin } = served;
    return await probe(new Probed({ issuer, origin, other, opened: [], fetch: network }));
  } finally {
    await served.close();
  }
}

/** Through a command, as it would be typed: the mock that the row is about while it runs. */
export async function throughCommand<T>(
  { of }: Pick<Row, 'of'>,
  line: readonly string[],
  probe: (mock: Probed) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const clock = new FakeClock();
    const other = await otherProvider(clock);
    const fetch: Fetch = (url, init) =>
      url.startsWith(PROVIDER) ? other.fetch(url) : network(url, init);
    const machine = { ...newMachine(), clock, network: fetch };
    const env = { XDG_RUNTIME_DIR: folder };
    const seen: T[] = [];
    const start = () =>
      serving(machine, [...line, '--json'], env, async (ready, { opened }) => {
        const { ca, ...urls } = JSON.parse(ready) as Record<string, string>;
        const issuer = urls[of] ?? '';
        const trusting = ca ? createSystemFetch({ ca: [readFileSync(ca, 'utf8')] }) : network;
        const control = controlOf(folder);
        const origin = control?.[of] ?? issuer;
        const controlToken = control?.token;
        seen.push(
          await probe(new Probed({ issuer, origin, other, opened, controlToken, fetch: trusting })),
        );
      });
    let run = await start();
    // A server of an earlier door may not have let go of the port yet.
    for (let tries = 1; tries < 10 && run.stdout.includes('"listen_in_use"'); tries += 1) {
      await systemSleep(200);
      run = await start();
    }
    for (const each of seen) return each;
    throw new Error(`It did not start: ${run.stdout}${run.stderr}`);
  });
}

/** The same with a configuration file. */
export function throughConfig<T>(
  row: Pick<Row, 'of'>,
  command: MockCommand,
  text: string,
  probe: (mock: Probed) => Promise<T>,
): Promise<T> {
  return inFolder((folder) => {
    const file = join(folder, 'mock.yaml');
    writeFileSync(file, text);
    return throughCommand(row, ['mock', command, '--config', file], probe);
  });
}

/** A line that is to be refused, in a folder where nothing is yet; with what was in it afterwards. */
export function refused(
  command: MockCommand,
  words: readonly string[],
  config?: string,
): Promise<Run & { readonly left: readonly string[] }> {
  return inFolder(async (folder) => {
    const file = join(folder, 'mock.yaml');
    if (config !== undefined) writeFileSync(file, config);
    const line = ['mock', command, ...words, ...(config === undefined ? [] : ['--config', file])];
    const env = { XDG_RUNTIME_DIR: folder, AGENT_AUTH_DB: join(folder, 'mock.db') };
    // A value that was taken after all starts a server, which must not keep the test waiting.
    const run = await serving(newMachine(), line, env, async () => {});
    return { ...run, left: readdirSync(folder).filter((name) => name !== 'mock.yaml') };
  });
}

async function otherProvider(clock: FakeClock): Promise<FakeProvider> {
  const provider = new FakeProvider(clock);
  await provider.addKey('key-1');
  return provider;
}

interface Control {
  readonly token: string;
  readonly service: string | null;
  readonly provider: string | null;
}

/** What a running mock notes for other commands; `null` with `--no-control`. */
function controlOf(folder: string): Control | null {
  const notes = join(folder, 'agent-auth');
  const [note = ''] = readdirSync(notes).filter((name) => name.endsWith('.json'));
  const { control } = JSON.parse(readFileSync(join(notes, note), 'utf8')) as {
    readonly control: Control | null;
  };
  return control;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-auth-doors-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
