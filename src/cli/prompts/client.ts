import type { GivenClient } from '../../agent/requests.ts';
import { Secret } from '../../runtime/secret.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { ClientOptions } from './options.ts';

/**
 * The client that was given.
 * @throws CliError (usage) for a secret on the command line, or without an id.
 */
export async function readClient(
  context: Context,
  { clientId, clientKey, clientSecret }: ClientOptions,
): Promise<GivenClient | undefined> {
  if (clientId === undefined) {
    if ((clientSecret ?? clientKey) === undefined) return undefined;
    throw usageError('Whose secret or key is that? Give --client-id as well.');
  }
  const { isSource, readFromSource } = await import('../shell/read-argument.ts');
  if (clientSecret !== undefined && !isSource(clientSecret)) {
    throw usageError('--client-secret takes @FILE or -, never the secret itself.', {
      hint: 'Other users of this machine can read command lines.',
    });
  }
  const read = async (source: string) =>
    new Secret((await readFromSource(context, source)).toString('utf8').trim());
  return {
    id: clientId,
    secret: clientSecret && (await read(clientSecret)),
    key: clientKey && (await read(`@${clientKey.replace(/^@/, '')}`)),
  };
}
