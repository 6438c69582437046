import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Context } from '../shell/context.ts';
import { readCommandLine, runCommand } from './run-command.ts';

/** A person may have to agree at the provider. Milliseconds. */
const TIMEOUT = 60_000;

/**
 * Obtains ID-JAGs from a provider that the service trusts: the command reads
 * `{ schema, service, email }` and prints the ID-JAG alone.
 */
export function mintCommandOf(
  { interrupt, world }: Context,
  text: string,
  service: string,
): (email: string) => Promise<string> {
  const line = readCommandLine(text, '--mint-command');
  return async (email) => {
    const printed = await runCommand(line, {
      input: { schema: 'agent-auth.mint-command/1', service, email },
      env: world.environment.source,
      timeout: TIMEOUT,
      signal: interrupt.signal,
      flag: '--mint-command',
    });
    const idJag = printed.trim();
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idJag)) return idJag;
    throw new CannotTest('The command of --mint-command printed something that is no JWT.');
  };
}
