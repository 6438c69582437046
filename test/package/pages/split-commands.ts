import { spawnSync } from 'node:child_process';
import { LIMITED } from '../../support/limited.ts';

/**
 * What a reader pastes at once: a line, with those that a backslash, a quote, a here-document or a loop joins to it.
 * @throws Error where bash does not understand the rest.
 */
export function splitCommands(script: string): readonly string[] {
  const commands: string[] = [];
  let waiting = '';
  for (const line of script.split('\n')) {
    if (waiting === '' && /^\s*(#.*)?$/.test(line)) continue;
    waiting = waiting === '' ? line : `${waiting}\n${line}`;
    if (!isWhole(waiting)) continue;
    commands.push(waiting);
    waiting = '';
  }
  if (waiting !== '') throw new Error(`bash does not understand: ${waiting}`);
  return commands;
}

function isWhole(command: string): boolean {
  if (/(^|[^\\])(\\\\)*\\$/.test(command)) return false;
  const { status, stderr } = spawnSync('bash', ['-n'], {
    ...LIMITED,
    input: `${command}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
  return status === 0 && !stderr.includes('here-document');
}
