import { CannotTest, NeedsOption } from '../../conformance/engine/judge.ts';
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

/** What is asked of one run, beside the user and what is the same for all. */
type Asked = Readonly<Record<string, string | undefined>>;

/**
 * Obtains a JWT by a command that reads one JSON object and prints the JWT alone. What the suite needs it for
 * is skipped when it fails, and nothing else.
 * @throws CliError (usage) when the command cannot be read.
 */
export function jwtCommand(
  context: Context,
  { command, flag, input, timeout }: JwtCommand,
): (email: string, asked?: Asked) => Promise<string> {
  const { interrupt, world } = context;
  const line = readCommand(context, command, flag);
  return async (email, asked = {}) => {
    try {
      const printed = await runCommand(line, {
        input: { ...input, email, ...asked },
        env: world.environment.source,
        timeout,
        signal: interrupt.signal,
        flag,
        check: (output) => (JWT.test(output.trim()) ? undefined : 'it printed no JWT'),
      });
      return printed.trim();
    } catch (error) {
      if (error instanceof CannotTest) throw new NeedsOption(error.message, flag);
      throw error;
    }
  };
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
