import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Terminal } from '../browser/terminal.ts';
import { CONNECTS, type Connect } from '../clients/cross-app-client.ts';
import { freePort } from '../support/free-port.ts';
import { TestUser } from '../support/test-user.ts';
import { until } from '../support/until.ts';
import { readPage } from './pages/read-page.ts';
import { ROOT } from './project.ts';

const { blocks } = readPage('docs/test-cross-app-access.md');
const ALICE = 'alice@example.com';

let terminal: Terminal;
let folder: string;
let mocks: { readonly provider: string; readonly service: string };
let idToken: string;

beforeEach(async () => {
  terminal = new Terminal();
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-cross-app-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const up = terminal.start('mock', 'up', '--port', '0', '--client', 'app:a-test-secret');
  mocks = (await up.next()) as typeof mocks;
  const client = { id: 'app', secret: 'a-test-secret', method: 'client_secret_basic' } as const;
  const atProvider = await (CONNECTS['openid-client'] as Connect)(mocks.provider, client);
  ({ idToken } = await atProvider.signIn(async (url) => {
    const user = new TestUser((request) => fetch(request));
    await user.openSignedIn(`${mocks.provider}/login`, ALICE);
    return String((await user.request(url)).headers.get('location'));
  }));
});
afterEach(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true });
});

/** Runs the block of the page that begins so, at these mocks, with the ID token that it speaks of. */
function run(starts: string, port = 0) {
  const block = blocks.find(({ kind, text }) => kind === 'js' && text.startsWith(starts));
  const text = `${block?.text}`
    .replaceAll('http://127.0.0.1:4800', mocks.service)
    .replaceAll('http://127.0.0.1:4801', mocks.provider)
    .replaceAll('4850', String(port));
  const file = join(folder, 'block.mjs');
  writeFileSync(file, `const idToken = process.env.ID_TOKEN;\n${text}`);
  const env = { PATH: process.env['PATH'], ID_TOKEN: idToken };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => {
    output += String(data);
  });
  const ended = new Promise<string>((resolve) => child.once('exit', () => resolve(output)));
  return { child, ended };
}

it('the MCP client of the page calls a tool', async () => {
  const told = await run('import { Client,').ended;
  expect(told).toContain('app');
  expect(told).toContain(ALICE);
});

it('the gateway of the page calls for an agent that has no token', async () => {
  const port = await freePort();
  const { child, ended } = run('// gateway.js', port);
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const listens = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  try {
    await until(listens);
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url));
    const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} });
    expect(structuredContent).toMatchObject({ client_id: 'app', user: { email: ALICE } });
    await client.close();
  } finally {
    child.kill();
    await ended;
  }
});
