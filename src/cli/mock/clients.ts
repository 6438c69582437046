import { readClientLine } from '../../mock/clients/client.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMocks } from './controls/find-mocks.ts';

export interface MockClientsOptions {
  /** `ID:SECRET`. */
  readonly add?: string;
  /** The id of a public client. */
  readonly addPublic?: string;
  readonly redirectUri?: readonly string[];
  readonly remove?: string;
}

interface MockClients {
  readonly target: ControlTarget;
  readonly clients: readonly JsonObject[];
}

/** Shows the clients of the running mocks, adds one or removes one, until they are reset. */
export async function mockClients(context: Context, options: MockClientsOptions): Promise<Outcome> {
  const call = callOf(options);
  const mocks: MockClients[] = [];
  for (const target of await findMocks(context)) {
    const { path, body } = call(target);
    const { clients } = await callControl(context, target, path, body);
    mocks.push({ target, clients: Array.isArray(clients) ? clients.filter(isJsonObject) : [] });
  }
  context.output.result(present(mocks));
  return 'done';
}

type Call = (target: ControlTarget) => { readonly path: string; readonly body?: JsonObject };

function callOf({ add, addPublic, redirectUri, remove }: MockClientsOptions): Call {
  const given = [add, addPublic, remove].filter((each) => each !== undefined);
  if (given.length > 1) throw usageError('Use one of --add, --add-public and --remove.');
  if (remove !== undefined) return () => ({ path: '/clients/remove', body: { id: remove } });
  const client =
    addPublic === undefined ? add && readClientLine(add) : { id: addPublic, public: true };
  if (client === undefined && add !== undefined) {
    throw usageError('--add takes ID:SECRET, for example --add app:a-test-secret.');
  }
  if (client === undefined || client === '') {
    if (redirectUri) throw usageError('--redirect-uri is of a client: --add or --add-public.');
    return () => ({ path: '/clients' });
  }
  // Users sign in at the provider alone.
  return ({ part }) => ({
    path: '/clients/set',
    body: { ...client, ...(part === 'provider' && redirectUri && { redirect_uris: redirectUri }) },
  });
}

function present(mocks: readonly MockClients[]): Rendering {
  return {
    schema: 'mockClients',
    wraps: true,
    json: () => ({
      mocks: mocks.map(({ target, clients }) => ({
        mock: target.part,
        issuer: target.issuer,
        clients,
      })),
    }),
    human: (style) =>
      mocks
        .map(({ target, clients }) =>
          clients.length === 0
            ? `${style.bold(target.part)}: takes any client`
            : `${style.bold(target.part)}:\n${table(clients.map(({ id, methods }) => [displayText(String(id), 200), style.dim(displayText(String(methods), 200))]))}`,
        )
        .join('\n'),
  };
}
