import { SERVICE_CORE } from '../../conformance/service/core.ts';
import { type JudgeServiceOptions, judgeService } from '../../conformance/service/judge-service.ts';
import { startMockTarget } from '../../conformance/service/mock-target.ts';
import { SERVICE_SCENARIOS } from '../../conformance/service/scenarios/index.ts';
import type { WriteRequest } from '../../conformance/service/write-request.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { namedService } from '../choose/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { findControl } from './find-control.ts';
import { judgeAfterRestarts } from './judge-after-restarts.ts';
import type { JudgeRun } from './judge-and-report.ts';
import { jwtCommand } from './jwt-command.ts';
import { readProviderKey } from './provider-key.ts';
import { checkMock, judgeTarget, settingsOf, type TargetOptions } from './target.ts';
import { usersGiven } from './users.ts';

export interface ConformanceServiceOptions extends TargetOptions {
  readonly resource?: string;
  readonly providerIssuer?: string;
  readonly providerKey?: string;
  readonly providerPort?: number;
  readonly mintCommand?: string;
  readonly writeRequest?: readonly WriteRequest[];
  readonly namingMember?: readonly string[];
  readonly rerun?: true;
}

/** What a run is made of, but for what `judgeAndReport` adds. */
type Prepared = Omit<JudgeServiceOptions, keyof JudgeRun>;

/** How long `--mint-command` may take: the user may have to consent at the provider. Milliseconds. */
const MINT_TIMEOUT = 60_000;

/** Judges a running service, or with `--mock` one of this program. */
export async function conformanceService(
  context: Context,
  url: string | undefined,
  options: ConformanceServiceOptions,
): Promise<Outcome> {
  const typed = url ?? context.options.service;
  checkMock(options, typed, [
    'control',
    'providerIssuer',
    'providerKey',
    'providerPort',
    'mintCommand',
    'rerun',
  ]);
  if (options.mock === true) return judgeMock(context, options);
  const target = targetOf(context, url);
  const judge = async () =>
    judgePrepared(context, options, await prepare(context, options, target));
  return options.rerun === true ? judgeAfterRestarts(context, target, judge) : judge();
}

function targetOf(context: Context, url: string | undefined): string {
  const named = namedService(context, url);
  if (named !== undefined) return named;
  // Never the one used last: judging makes registrations.
  throw usageError('No service was named.', {
    code: 'service_missing',
    hint: 'Name its URL, or judge a mock with --mock.',
  });
}

async function prepare(
  context: Context,
  options: ConformanceServiceOptions,
  target: string,
): Promise<Prepared> {
  const { ca, control, proxyFor } = await findControl(context, 'service', target, options.control);
  const { mintCommand, providerIssuer, providerKey, providerPort } = options;
  return {
    ...(await commonOf(context, options)),
    target,
    control,
    ca,
    allowOrigins: context.options.allowOrigin,
    proxyFor,
    provider: {
      ...(providerPort !== undefined && { port: providerPort }),
      ...(providerIssuer !== undefined && {
        issuer: withoutFinalSlash(absoluteUrl(providerIssuer, 'The URL of --provider-issuer')),
      }),
      ...(providerKey !== undefined && {
        key: await readProviderKey(providerKey, context.interrupt.signal),
      }),
      // Whoever fixes the URL of the suite's provider has configured the service to trust it.
      trusted: providerIssuer !== undefined || providerPort !== undefined,
    },
    ...(mintCommand !== undefined && {
      mintCommand: jwtCommand(context, {
        command: mintCommand,
        flag: '--mint-command',
        input: { schema: 'agent-auth.mint-command/1', service: target },
        timeout: MINT_TIMEOUT,
      }),
    }),
  };
}

async function commonOf(context: Context, options: ConformanceServiceOptions) {
  const { namingMember, resource, writeRequest } = options;
  return {
    ...settingsOf(context, options),
    ...(await usersGiven(context, options)),
    ...(resource !== undefined && { resource }),
    ...(writeRequest !== undefined && { writes: writeRequest }),
    ...(namingMember !== undefined && { namingMembers: namingMember }),
  };
}

async function judgeMock(context: Context, options: ConformanceServiceOptions): Promise<Outcome> {
  const { clock, random } = context.world;
  const mock = await startMockTarget({ clock, random, fetch: await context.fetch() });
  try {
    return await judgePrepared(context, options, {
      ...(await commonOf(context, options)),
      target: mock.target,
      providers: mock.providers,
      provider: { trusted: true },
      ...(options.control !== false && { control: mock.control }),
    });
  } finally {
    await mock.close();
  }
}

function judgePrepared(
  context: Context,
  options: ConformanceServiceOptions,
  prepared: Prepared,
): Promise<Outcome> {
  return judgeTarget(context, options, {
    role: 'service',
    target: prepared.target,
    scenarios: SERVICE_SCENARIOS,
    core: SERVICE_CORE,
    judge: ({ show: _show, ...run }, user) =>
      judgeService({
        ...prepared,
        ...run,
        ...(user && { makeUser: () => user }),
      }),
  });
}
