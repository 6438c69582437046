import { PROVIDER_CORE } from '../../conformance/provider/core.ts';
import {
  type JudgeProviderOptions,
  judgeProvider,
} from '../../conformance/provider/judge-provider.ts';
import { startMockProviderTarget } from '../../conformance/provider/mock-provider-target.ts';
import { PROVIDER_SCENARIOS } from '../../conformance/provider/scenarios/index.ts';
import { providerUserOf } from '../../conformance/provider/sign-in.ts';
import { knowingUser } from '../../conformance/user/knowing-user.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { jwtCommand } from './spawn-command.ts';
import { conformanceTarget, type JudgedRole, type TargetOptions } from './target.ts';

interface ConformanceProviderOptions extends TargetOptions {
  readonly clientId: string;
  readonly consentsPage?: string;
  readonly idTokenCommand?: string;
  readonly mintCommand?: string;
  readonly servicePort?: number;
  readonly serviceUrl?: string;
  readonly audience?: readonly string[];
}

/** What it alone is judged with. */
type Own = Pick<
  JudgeProviderOptions,
  'clientId' | 'services' | 'audiences' | 'consentsUri' | 'idTokenCommand' | 'mintCommand'
>;

/** How long a command of the user may take: they may have to sign in. Milliseconds. */
const USER_TIMEOUT = 120_000;

const PROVIDER_ROLE: JudgedRole<ConformanceProviderOptions, Own> = {
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
  ],
  namedTarget: (_context, url) =>
    url === undefined ? undefined : withoutSlash(url, 'The provider URL'),
  startMock: async (context, { clientId }) => {
    const { clock, random, sleep } = context.world;
    const ports = { clock, random, sleep, fetch: await context.fetch() };
    const mock = await startMockProviderTarget({ ...ports, mock: { clientId } });
    return { ...mock, own: { clientId, consentsUri: mock.consentsUri } };
  },
  read: async (context, options, target) => {
    const { audience, clientId, consentsPage, servicePort, serviceUrl } = options;
    const command = (name: 'id-token' | 'mint', typed: string, more = {}) =>
      jwtCommand(context, `--${name}-command`, typed, USER_TIMEOUT, {
        schema: `agent-auth.${name}-command/1`,
        ...{ provider: target, ...more },
      });
    const { idTokenCommand, mintCommand } = options;
    return {
      clientId,
      services: {
        ...(servicePort !== undefined && { port: servicePort }),
        ...(serviceUrl !== undefined && {
          base: withoutSlash(serviceUrl, 'The URL of --service-url'),
        }),
      },
      ...(audience && {
        audiences: audience.map((each) => withoutSlash(each, 'The URL of --audience')),
      }),
      ...(consentsPage !== undefined && {
        consentsUri: absoluteUrl(consentsPage, 'The URL of --consents-page'),
      }),
      ...(idTokenCommand !== undefined && {
        idTokenCommand: command('id-token', idTokenCommand, { client_id: clientId }),
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

function withoutSlash(url: string, what: string): string {
  return withoutFinalSlash(absoluteUrl(url, what));
}

export function conformanceProvider(
  context: Context,
  url: string | undefined,
  options: ConformanceProviderOptions,
): Promise<Outcome> {
  return conformanceTarget(context, PROVIDER_ROLE, url, options);
}
