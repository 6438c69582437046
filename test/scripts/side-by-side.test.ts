import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITED } from '../support/limited.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/build/side-by-side.js');

function sideBySide(...lines: readonly string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...lines], { encoding: 'utf8', ...LIMITED });
}

describe('command lines side by side', () => {
  it('exit 0 when all of them did, and print what each printed', () => {
    const { status, stdout, stderr } = sideBySide('echo one && echo two', 'echo three');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('one\ntwo\n');
    expect(stdout).toContain('three\n');
  });

  it('exit 1 when one of them failed, whatever the others did, and name it', () => {
    const { status, stdout, stderr } = sideBySide('echo right', 'echo wrong >&2; exit 3');
    expect(status).toBe(1);
    expect(stdout).toContain('right\n');
    expect(stdout).toContain('wrong\n');
    expect(stderr).toBe('✗ echo wrong >&2; exit 3\n');
  });

  it('exit 1 when a command does not exist', () => {
    expect(sideBySide('no-such-command-here').status).toBe(1);
  });
});
