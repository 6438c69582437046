import { PROVIDER_CORE } from '../../conformance/provider/core.ts';
import { DEFAULT_REDIRECT } from '../../conformance/provider/cross-app/given.ts';
import {
  type JudgeProviderOptions,
  judgeProvider,
} from '../../conformance/provider/judge-provider.ts';
import { startMockProviderTarget } from '../../conformance/provider/mock-provider-target.ts';
import { PROVIDER_SCENARIOS } from '../../conformance/provider/scenarios/index.ts';
import { providerUserOf } from '../../conformance/provider/sign-in.ts';
import { knowingUser } from '../../conformance/user/sign-in-means.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readClients } from './cross-app-options.ts';
import type { ProviderOptions } from './options.ts';
import { jwtCommand } from './spawn-command.ts';
import { conformanceTarget, type JudgedRole } from './target.ts';

/** What it alone is judged with. */
type Own = Pick<
  JudgeProviderOptions,
  | 'clientId'
  | 'crossApp'
  | 'services'
  | 'audiences'
  | 'consentsUri'
  | 'idTokenCommand'
  | 'mintCommand'
>;

/** How long a command of the user may take: they may have to sign in. Milliseconds. */
const USER_TIMEOUT = 120_000;

const PROVIDER_ROLE: JudgedRole<ProviderOptions, Own> = {
  role: 'provider',
  scenarios: PROVIDER_SCENARIOS,
  core: PROVIDER_CORE,
  reaching: [
    'control',
    'consentsPage',
    'idTokenCommand',
    'mintCommand',
    'servicePort',
    'serviceUrl',
    'audience',
    'clientSecret',
    'redirectUri',
    'resource',
    'clientIdThere',
    'refusedEmail',
  ],
  namedTarget: (_context, url) =>
    url === undefined ? undefined : withoutSlash(url, 'The provider URL'),
  startMock: async (context, options) => {
    const { clock, random, sleep } = context.world;
    const ports = { clock, random, sleep, fetch: await context.fetch() };
    const agent = await readClientOptions(context, options);
    const mock = await startMockProviderTarget({ ...ports, mock: agent });
    const { consentsUri, crossApp } = mock;
    return { ...mock, own: { ...agent, consentsUri, crossApp } };
  },
  read: async (context, options, target) => {
    const { audience, consentsPage, servicePort, serviceUrl } = options;
    const clients = await readClientOptions(context, options);
    const command = (name: 'id-token' | 'mint', typed: string) =>
      jwtCommand(context, `--${name}-command`, typed, USER_TIMEOUT, {
        schema: `agent-auth.${name}-command/1`,
        provider: target,
      });
    const { idTokenCommand, mintCommand } = options;
    return {
      ...clients,
      services: {
        ...(servicePort !== undefined && { port: servicePort }),
        ...(serviceUrl !== undefined && {
          base: withoutSlash(serviceUrl, 'The URL of --service-url'),
        }),
      },
      ...(audience &&
        clients.crossApp === undefined && {
          audiences: audience.map((each) => withoutSlash(each, 'The URL of --audience')),
        }),
      ...(consentsPage !== undefined && {
        consentsUri: absoluteUrl(consentsPage, 'The URL of --consents-page'),
      }),
      ...(idTokenCommand !== undefined && {
        idTokenCommand: command('id-token', idTokenCommand),
      }),
      ...(mintCommand !== undefined && { mintCommand: command('mint', mintCommand) }),
    };
  },
  judge: (run, user) =>
    judgeProvider({
      ...run,
      ...(user && { makeUser: (_visit, means) => providerUserOf(knowingUser(user, means)) }),
    }),
};

/**
 * A client without a secret is the agent, which registration is judged with. With one, cross-app access is judged, and
 * the agent is the usual one.
 * @throws CliError (usage)
 */
async function readClientOptions(
  context: Context,
  options: ProviderOptions,
): Promise<Pick<Own, 'clientId' | 'crossApp'>> {
  const [client, other] = await readClients(context, options);
  if (client?.secret === undefined) {
    if (other !== undefined) {
      throw usageError('Of two --client-id the first has a --client-secret.', {
        code: 'options_clash',
      });
    }
    return client === undefined ? {} : { clientId: client.id };
  }
  const { audience: [audience] = [], clientIdThere, redirectUri, refusedEmail, resource } = options;
  const { id, secret } = client;
  const given = { audience, clientIdThere, other, refusedEmail, resource };
  return {
    crossApp: {
      ...{ client: { id, secret }, ...given },
      redirectUri:
        redirectUri === undefined
          ? DEFAULT_REDIRECT
          : absoluteUrl(redirectUri, 'The URL of --redirect-uri'),
    },
  };
}

function withoutSlash(url: string, what: string): string {
  return withoutFinalSlash(absoluteUrl(url, what));
}

export function conformanceProvider(
  context: Context,
  url: string | undefined,
  options: ProviderOptions,
): Promise<Outcome> {
  return conformanceTarget(context, PROVIDER_ROLE, url, options);
}
