import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isBuilt, NOT_BUILT, PROGRAM } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const { inputs, runs } = parse(
  readFileSync(join(import.meta.dirname, '../../../action.yml'), 'utf8'),
) as Action;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-action-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the action's script as a runner does: a strict bash, inputs as variables, files to append to. */
async function runAction(given: Readonly<Record<string, string>>) {
  const step = runs.steps.find(({ run }) => run !== undefined);
  const value = (expression: string) => {
    const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? '';
    return given[name] ?? inputs[name]?.default ?? '';
  };
  const env = Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, text]) => [name, value(text)]),
  );
  // In place of the published package, the one that was built here.
  const npx = join(folder, 'npx');
  writeFileSync(
    npx,
    `#!/bin/bash\nprintf '%s\\n' "$@" > ${folder}/words\nshift 2\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
  );
  chmodSync(npx, 0o755);
  writeFileSync(join(folder, 'script.sh'), step?.run ?? '');
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'script.sh'], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      XDG_RUNTIME_DIR: folder,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
  });
  let stderr = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const outputs = Object.fromEntries(
    read('output')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>;
  return { code, stderr, outputs, words: read('words').split('\n'), read };
}

describe.runIf(isBuilt)('the script of the action', () => {
  it('judges a mock, writes the reports and the job summary, and gives their paths', async () => {
    const { code, stderr, outputs, words, read } = await runAction({
      options: '  --only=anonymous  \n\n--level=must',
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Judging')]);
    expect(words).toEqual(expect.arrayContaining(['--yes', 'agent-auth@latest', '--mock']));
    expect(words).toEqual(expect.arrayContaining(['--only=anonymous', '--level=must']));
    expect(outputs).toEqual({
      'exit-code': '0',
      junit: 'conformance-report/conformance.xml',
      html: 'conformance-report/conformance.html',
      json: 'conformance-report/conformance.json',
    });
    expect(read(outputs['junit'] ?? '')).toContain('<testsuite');
    expect(read(outputs['html'] ?? '')).toContain('<html');
    expect(JSON.parse(read(outputs['json'] ?? ''))).toMatchObject({ role: 'service' });
    expect(read('summary')).toMatch(/^\| must \|/m);
  });

  it('judges an agent by its command, and fails when that fails', async () => {
    const { code, outputs, words, read } = await runAction({
      role: 'agent',
      target: 'node missing-adapter.js --flag',
      options: '--only=agent-directory',
    });
    expect([code, outputs['exit-code']]).toEqual([1, '1']);
    expect(words.slice(words.indexOf('--'))).toEqual([
      '--',
      'node',
      'missing-adapter.js',
      '--flag',
      '',
    ]);
    expect(read('summary')).toContain('agent-directory');
  });

  it('fails as the command does, and takes an option that looks like a command for what it is', async () => {
    const hostile = `$(touch ${folder}/pwned)`;
    const { code, outputs, words } = await runAction({ options: hostile });
    expect([code, outputs]).toEqual([2, { 'exit-code': '2' }]);
    expect(words).toContain(hostile);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });
});
