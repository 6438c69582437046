import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { createSystemForward } from '../../../src/runtime/system-forward.ts';
import { type Machine, newMachine, runCli } from '../support/run-cli.ts';
import { serving } from '../support/serving.ts';

let folder: string;
let file: string;

const newOne = (): Machine => ({
  ...newMachine(),
  connect: createSystemFetch,
  forward: createSystemForward(),
});
const urlOf = (ready: string) => String((JSON.parse(ready) as { service: unknown }).service);
const FLAGS = ['--port', '0', '--json'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  file = join(folder, 'run.json');
  const machine = newOne();
  // Recorded by the program itself, as in a bug report.
  await serving(machine, ['mock', 'service', ...FLAGS], undefined, async (mock) => {
    const proxy = ['proxy', '--to', urlOf(mock), '--transcript', file, ...FLAGS];
    await serving(machine, proxy, undefined, async (ready) => {
      const agent = await runCli(machine, ['connect', urlOf(ready), '--call', '/api/resource']);
      expect(agent.code).toBe(0);
    });
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a transcript', () => {
  it('of the package was not found by the name that its pages give it', async () => {
    const from = ['--from', 'agent-auth/transcripts/flat-claimed-afterwards.json'];
    const machine = newOne();
    const run = await serving(
      machine,
      ['mock', 'service', ...from, ...FLAGS],
      undefined,
      async (ready) => expect(urlOf(ready)).toMatch(/^http:/),
    );
    expect(run.code).toBe(0);
    const slip = await runCli(machine, [
      'mock',
      'service',
      '--from',
      'agent-auth/transcripts/flat-claimed.json',
    ]);
    expect([slip.code, slip.stderr]).toEqual([
      2,
      expect.stringMatching(
        /agent-auth has no transcript flat-claimed\.json\.\n.*All of them: dist\/docs\/transcripts\n/,
      ),
    ]);
    const near = await runCli(machine, [
      'mock',
      'service',
      '--from',
      'agent-auth/transcripts/flat-denail.json',
    ]);
    expect(near.stderr).toContain('Did you mean agent-auth/transcripts/flat-denial.json?');
  });

  it('is a service that an agent runs against', async () => {
    const machine = newOne();
    const run = await serving(
      machine,
      ['mock', 'service', '--from', file, ...FLAGS],
      undefined,
      async (ready) => {
        // What is printed to be typed begins as the recorded agent did.
        const { next, others } = JSON.parse(ready) as {
          next: { argv: string[] };
          others: unknown[];
        };
        expect(next.argv.slice(-2)).toEqual(['--type', 'anonymous']);
        expect(others).toEqual([]);
        const printed = await runCli(machine, next.argv.slice(1));
        expect(printed.code).toBe(0);
        const agent = await runCli(machine, ['connect', urlOf(ready), '--call', '/api/resource']);
        expect(agent).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('GET /api/resource answered 200.'),
        });
      },
    );
    expect(run.code).toBe(0);
  });

  it('is refused with the place where it is none, and with options of another mock', async () => {
    const wrong = join(folder, 'wrong.json');
    writeFileSync(wrong, '{"transcript":2,"exchanges":[]}');
    const refused = await runCli(newOne(), ['mock', 'service', '--from', wrong]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('$.transcript') });
    const both = await runCli(newOne(), ['mock', 'service', '--from', file, '--dialect', 'flat']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--dialect') });
  });

  it('is missed where an option of a replay is typed without it', async () => {
    const option = ['--provider', 'https://provider.example', '--port', '0'];
    const run = await runCli(newOne(), ['mock', 'service', ...option]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--from FILE') });
  });

  it('has no controls, and says so', async () => {
    const machine = newOne();
    const env = { XDG_RUNTIME_DIR: folder };
    await serving(machine, ['mock', 'service', '--from', file, ...FLAGS], env, async (ready) => {
      const run = await runCli(machine, ['mock', 'list', '--service', urlOf(ready)], { env });
      expect(run).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('replays a transcript'),
      });
      expect(run.stderr).toContain('proxy --to');
    });
  });
});
