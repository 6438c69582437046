import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { asCalled } from '../../src/cli/run-line.ts';
import { CliError } from '../../src/cli/shell/cli-error.ts';

const output = { stdout: () => {}, stderr: () => {} };
const names = buildProgram(async () => {}, output).commands.map((command) => command.name());

describe('a hint of a program that npx started', () => {
  it.each(names)('began with a program that no PATH leads to: agent-auth %s', (name) => {
    const hint = `If no other agent-auth runs, type: agent-auth ${name} X (see npx agent-auth ${name}).`;
    const error = new CliError('failed', { code: 'credentials_locked', message: 'No.', hint });
    expect(asCalled(error, 'npx agent-auth').hint).toBe(
      `If no other agent-auth runs, type: npx agent-auth ${name} X (see npx agent-auth ${name}).`,
    );
  });
});
