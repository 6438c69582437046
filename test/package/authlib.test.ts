import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Terminal } from '../browser/terminal.ts';
import { LIMITED } from '../support/limited.ts';
import { findOnPath } from '../support/on-path.ts';
import { ROOT } from './project.ts';

const EXAMPLE = join(ROOT, 'docs/examples/python/cross_app.py');

const python = [findOnPath(['python3'], process.env['PATH'] ?? ''), '/usr/bin/python3'].find(
  (path) =>
    path !== undefined && spawnSync(path, ['-c', 'import authlib, requests'], LIMITED).status === 0,
);

const VARIABLE = 'AGENT_AUTH_REQUIRE_PYTHON';
const NONE = 'no Python with Authlib is here (Debian: python3-authlib)';
if (python === undefined && process.env[VARIABLE] === '1')
  throw new Error(`${VARIABLE}=1, but ${NONE}`);
if (python === undefined) process.stdout.write(`skipped: the client of Authlib: ${NONE}\n`);

describe.skipIf(python === undefined)('the client of Authlib, untouched', () => {
  let terminal: Terminal;
  beforeEach(() => {
    terminal = new Terminal();
  });
  afterEach(() => terminal.close());

  it.each(['client_secret_basic', 'client_secret_post'])(
    'signs in, refreshes, exchanges, redeems and calls a tool, by %s',
    async (method) => {
      const up = terminal.start('mock', 'up', '--port', '0', '--client', 'app:a-test-secret');
      const { provider, service } = (await up.next()) as { provider: string; service: string };
      const line = [EXAMPLE, provider, service, method];
      const { stdout } = await promisify(execFile)(python ?? '', line, LIMITED);
      expect(stdout.trim()).toBe('alice@example.com app api.read 200');
    },
  );
});
