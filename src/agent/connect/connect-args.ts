import type { ConnectRequest } from './connect-request.ts';

type Asked = Omit<ConnectRequest, 'signal' | 'user' | 'onStep' | 'service'>;

/** The same request as arguments of the command, to go on with. */
export function connectArgs(asked: Asked): readonly string[] {
  const { client, type, email, provider, scopes = [], claim, call, leave } = asked;
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, value];
  return [
    // What goes with the id is kept.
    ...option('--client-id', client?.id),
    ...option('--type', type),
    ...option('--provider', provider),
    ...option('--email', email),
    ...scopes.flatMap((scope) => ['--scope', scope]),
    ...(claim ? ['--claim'] : []),
    ...option('--call', call),
    ...(leave ? ['--leave'] : []),
  ];
}
