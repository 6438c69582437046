import type { CrossAppOptions, GivenClient } from '../../conformance/service/cross-app/given.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { isSource, readFromSource } from '../shell/read-argument.ts';
import type { ServiceOptions } from './options.ts';

/** @throws CliError (usage) */
export async function readCrossApp(
  context: Context,
  { clientDocument, reading, resource, subject, ...named }: ServiceOptions,
): Promise<CrossAppOptions> {
  return {
    ...{ clients: await readClients(context, named), reading },
    ...(clientDocument && { clientDocument }),
    ...(resource !== undefined && { resources: resource }),
    ...(subject !== undefined && { subject }),
  };
}

/** @throws CliError (usage) for a secret on the command line, or one that belongs to no client. */
export async function readClients(
  context: Context,
  {
    clientId: ids = [],
    clientSecret: secrets = [],
  }: Pick<ServiceOptions, 'clientId' | 'clientSecret'>,
): Promise<readonly GivenClient[]> {
  const wrong = (text: string) => usageError(text, { code: 'options_clash' });
  if (ids.length > 2) throw wrong('--client-id is given at most twice.');
  if (secrets.length > ids.length) throw wrong('Each --client-secret needs a --client-id.');
  if (secrets.some((each) => !isSource(each))) {
    throw usageError('--client-secret takes @FILE or -, never the secret itself.', {
      code: 'secret_in_arguments',
    });
  }
  if (secrets.filter((each) => each === '-').length > 1) {
    throw wrong('Only one --client-secret can come from stdin.');
  }
  const clients: GivenClient[] = [];
  for (const [at, id] of ids.entries()) {
    const source = secrets[at];
    if (source === undefined) clients.push({ id });
    else {
      const text = (await readFromSource(context, source)).toString('utf8');
      clients.push({ id, secret: text.replace(/\r?\n$/, '') });
    }
  }
  return clients;
}
