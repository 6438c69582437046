import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Context } from '../shell/context.ts';
import { readCommand } from './read-command.ts';
import { runCommand } from './spawn-command.ts';

interface JwtCommand {
  /** As it was typed after the flag. */
  readonly command: string;
  readonly flag: string;
  /** What the command reads on stdin, beside `email`. */
  readonly input: Readonly<Record<string, string>>;
  /** How long it may take. Milliseconds. */
  readonly timeout: number;
}

/**
 * Obtains a JWT of a user by a command that reads one JSON object and prints the JWT alone.
 * @throws CliError (usage) when the command cannot be read.
 */
export function jwtCommand(
  context: Context,
  { command, flag, input, timeout }: JwtCommand,
): (email: string) => Promise<string> {
  const { interrupt, world } = context;
  const line = readCommand(context, command, flag);
  return async (email) => {
    const printed = await runCommand(line, {
      input: { ...input, email },
      env: world.environment.source,
      timeout,
      signal: interrupt.signal,
      flag,
    });
    const jwt = printed.trim();
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt)) return jwt;
    throw new CannotTest(`The command of ${flag} printed something that is not a JWT.`);
  };
}
