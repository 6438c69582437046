import { type JudgeServiceOptions, judgeService } from '../../conformance/service/judge-service.ts';
import { startMockTarget } from '../../conformance/service/mock-target.ts';
import { SERVICE_SCENARIOS } from '../../conformance/service/scenarios/index.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { chooseUser, type UserOptions } from './choose-user.ts';
import { findControl } from './find-control.ts';
import { mintCommandOf } from './mint-command.ts';
import { readProviderKey } from './provider-key.ts';
import { type JudgeRun, judgeAndReport } from './report.ts';
import type { ReportOptions } from './report-options.ts';

export interface ConformanceServiceOptions extends ReportOptions, UserOptions {
  readonly mock?: true;
  readonly resource?: string;
  readonly safe?: true;
  /** Milliseconds. */
  readonly timeout: number;
  readonly patience: number;
  readonly email?: string;
  readonly providerIssuer?: string;
  readonly providerKey?: string;
  readonly providerPort?: number;
  readonly mintCommand?: string;
  readonly control?: string | false;
}

/** What a run is made of, but for what `judgeAndReport` adds. */
type Prepared = Omit<JudgeServiceOptions, keyof JudgeRun>;

/** Judges a service that runs, or with `--mock` one of this program. */
export async function conformanceService(
  context: Context,
  url: string | undefined,
  options: ConformanceServiceOptions,
): Promise<Outcome> {
  checkCombination(options, url);
  return options.mock === true
    ? judgeOwnMock(context, options)
    : judgeTarget(context, options, await prepare(context, options, targetOf(context, url)));
}

function targetOf({ options }: Context, url: string | undefined): string {
  const typed = url ?? options.service;
  if (typed !== undefined) return absoluteUrl(typed);
  // Never the one used last: judging makes registrations.
  throw usageError('No service was named.', {
    code: 'service_missing',
    hint: 'Name its address, or let the mock be judged with --mock.',
  });
}

function checkCombination(options: ConformanceServiceOptions, url: string | undefined): void {
  const clash = (text: string) => usageError(text, { code: 'options_clash' });
  if (options.mock === true && url !== undefined) {
    throw clash('--mock judges a mock of its own; leave the address out.');
  }
  const needless = (['control', 'providerIssuer', 'providerPort', 'mintCommand'] as const).find(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (options.mock === true && needless !== undefined) {
    const flag = needless.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw clash(`--mock knows the way to its own mock; leave --${flag} out.`);
  }
}

async function prepare(
  context: Context,
  options: ConformanceServiceOptions,
  target: string,
): Promise<Prepared> {
  const { control, ca } = await findControl(context, 'service', target, options.control);
  return {
    ...common(context, options),
    target,
    control,
    ca,
    provider: {
      ...(options.providerPort !== undefined && { port: options.providerPort }),
      ...(options.providerIssuer !== undefined && { issuer: issuerOf(options.providerIssuer) }),
      ...(options.providerKey !== undefined && {
        key: await readProviderKey(options.providerKey, context.interrupt.signal),
      }),
      // Whoever fixes the address of the suite's provider has told the service about it.
      trusted: options.providerIssuer !== undefined || options.providerPort !== undefined,
    },
    ...(options.mintCommand !== undefined && {
      mintCommand: mintCommandOf(context, options.mintCommand, target),
    }),
  };
}

function issuerOf(text: string): string {
  return withoutFinalSlash(absoluteUrl(text, 'The address of --provider-issuer'));
}

function common({ interrupt, world }: Context, options: ConformanceServiceOptions) {
  return {
    clock: world.clock,
    random: world.random,
    sleep: (ms: number) => world.sleep(ms, interrupt.signal),
    timeout: options.timeout,
    patience: options.patience,
    ...(options.resource !== undefined && { resource: options.resource }),
    ...(options.email !== undefined && { emailPattern: options.email }),
  };
}

async function judgeOwnMock(
  context: Context,
  options: ConformanceServiceOptions,
): Promise<Outcome> {
  const { clock, random } = context.world;
  const mock = await startMockTarget({ clock, random, fetch: await context.fetch() });
  try {
    return await judgeTarget(context, options, {
      ...common(context, options),
      target: mock.target,
      providers: mock.providers,
      provider: { trusted: true },
      ...(options.control !== false && { control: mock.control }),
    });
  } finally {
    await mock.close();
  }
}

function judgeTarget(
  context: Context,
  options: ConformanceServiceOptions,
  prepared: Prepared,
): Promise<Outcome> {
  const makeUser = chooseUser(context, options);
  return judgeAndReport(context, options, {
    role: 'service',
    target: prepared.target,
    scenarios: SERVICE_SCENARIOS,
    ...(options.safe === true && { safe: true }),
    judge: async ({ catalog, selection, seed, onProgress, show }) => {
      const user = makeUser?.(show);
      try {
        return await orExplain(
          context,
          judgeService({
            ...prepared,
            catalog,
            selection,
            seed,
            onProgress,
            ...(user && { makeUser: () => user }),
          }),
        );
      } finally {
        // A browser that never started has nothing to close, and was told of by its scenario.
        await user?.close?.().catch(() => {});
      }
    },
  });
}
