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
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { findControl } from './find-control.ts';
import type { JudgeRun } from './judge-and-report.ts';
import { jwtCommand } from './jwt-command.ts';
import { checkMock, judgeTarget, settingsOf, type TargetOptions } from './target.ts';
import { usersGiven } from './users.ts';

export interface ConformanceProviderOptions extends TargetOptions {
  readonly clientId: string;
  readonly consentsPage?: string;
  readonly idTokenCommand?: string;
  readonly mintCommand?: string;
  readonly servicePort?: number;
  readonly serviceUrl?: string;
  readonly audience?: readonly string[];
}

/** What a run is made of, but for what `judgeAndReport` adds. */
type Prepared = Omit<JudgeProviderOptions, keyof JudgeRun>;

/** How long `--id-token-command` may take: the user may have to sign in. Milliseconds. */
const ID_TOKEN_TIMEOUT = 120_000;

/** Judges a running provider, or with `--mock` one of this program. */
export async function conformanceProvider(
  context: Context,
  url: string | undefined,
  options: ConformanceProviderOptions,
): Promise<Outcome> {
  checkMock(options, url, [
    'control',
    'consentsPage',
    'idTokenCommand',
    'mintCommand',
    'servicePort',
    'serviceUrl',
    'audience',
  ]);
  return options.mock === true
    ? judgeMock(context, options)
    : judgePrepared(context, options, await prepare(context, options, targetOf(url)));
}

function targetOf(typed: string | undefined): string {
  if (typed !== undefined) return withoutFinalSlash(absoluteUrl(typed, 'The provider URL'));
  throw usageError('No provider was named.', {
    code: 'provider_missing',
    hint: 'Name its issuer, or judge a mock with --mock.',
  });
}

async function prepare(
  context: Context,
  options: ConformanceProviderOptions,
  target: string,
): Promise<Prepared> {
  const { ca, control, proxyFor } = await findControl(context, 'provider', target, options.control);
  const { audience, clientId, consentsPage, idTokenCommand, mintCommand, servicePort, serviceUrl } =
    options;
  const withoutSlash = (url: string, flag: string) =>
    withoutFinalSlash(absoluteUrl(url, `The URL of ${flag}`));
  return {
    ...(await commonOf(context, options)),
    target,
    control,
    ca,
    allowOrigins: context.options.allowOrigin,
    proxyFor,
    services: {
      ...(servicePort !== undefined && { port: servicePort }),
      ...(serviceUrl !== undefined && { base: withoutSlash(serviceUrl, '--service-url') }),
    },
    ...(audience && { audiences: audience.map((each) => withoutSlash(each, '--audience')) }),
    ...(consentsPage !== undefined && {
      consentsUri: absoluteUrl(consentsPage, 'The URL of --consents-page'),
    }),
    ...(idTokenCommand !== undefined && {
      idTokenCommand: jwtCommand(context, {
        command: idTokenCommand,
        flag: '--id-token-command',
        input: {
          schema: 'agent-auth.id-token-command/1',
          provider: target,
          client_id: clientId,
        },
        timeout: ID_TOKEN_TIMEOUT,
      }),
    }),
    ...(mintCommand !== undefined && {
      mintCommand: jwtCommand(context, {
        command: mintCommand,
        flag: '--mint-command',
        input: { schema: 'agent-auth.mint-command/1', provider: target },
        timeout: ID_TOKEN_TIMEOUT,
      }),
    }),
  };
}

async function commonOf(context: Context, options: ConformanceProviderOptions) {
  return {
    ...settingsOf(context, options),
    ...(await usersGiven(context, options)),
    clientId: options.clientId,
  };
}

async function judgeMock(context: Context, options: ConformanceProviderOptions): Promise<Outcome> {
  const { clock, random, sleep } = context.world;
  const mock = await startMockProviderTarget({
    clock,
    random,
    sleep,
    fetch: await context.fetch(),
    mock: { clientId: options.clientId },
  });
  try {
    return await judgePrepared(context, options, {
      ...(await commonOf(context, options)),
      target: mock.target,
      consentsUri: mock.consentsUri,
      ...(options.control !== false && { control: mock.control }),
    });
  } finally {
    await mock.close();
  }
}

function judgePrepared(
  context: Context,
  options: ConformanceProviderOptions,
  prepared: Prepared,
): Promise<Outcome> {
  return judgeTarget(context, options, {
    role: 'provider',
    target: prepared.target,
    scenarios: PROVIDER_SCENARIOS,
    core: PROVIDER_CORE,
    judge: ({ show: _show, ...run }, user) =>
      judgeProvider({
        ...prepared,
        ...run,
        ...(user && { makeUser: (_visit, means) => providerUserOf(knowingUser(user, means)) }),
      }),
  });
}
