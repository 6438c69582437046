import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Context } from '../shell/context.ts';
import { readCommandLine, runCommand } from './run-command.ts';

/** Somebody may have to sign in. Milliseconds. */
const TIMEOUT = 120_000;

/**
 * Signs users in at a provider that has no device authorization: the command reads
 * `{ schema, provider, client_id, email }` and prints the ID token alone.
 */
export function idTokenCommandOf(
  { interrupt, world }: Context,
  text: string,
  provider: string,
  clientId: string,
): (email: string) => Promise<string> {
  const flag = '--id-token-command';
  const line = readCommandLine(text, flag);
  return async (email) => {
    const printed = await runCommand(line, {
      input: { schema: 'agent-auth.id-token-command/1', provider, client_id: clientId, email },
      env: world.environment.source,
      timeout: TIMEOUT,
      signal: interrupt.signal,
      flag,
    });
    const idToken = printed.trim();
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idToken)) return idToken;
    throw new CannotTest(`The command of ${flag} printed something that is no JWT.`);
  };
}
