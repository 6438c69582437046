import {
  type JudgeProviderOptions,
  judgeProvider,
} from '../../conformance/provider/judge-provider.ts';
import { startMockProviderTarget } from '../../conformance/provider/mock-provider-target.ts';
import { PROVIDER_SCENARIOS } from '../../conformance/provider/scenarios/index.ts';
import { providerUserOf } from '../../conformance/provider/sign-in.ts';
import { ListenError } from '../../mock/http/listen-error.ts';
import { withoutFinalSlash } from '../../protocol/urls.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { chooseUser, type UserOptions } from './choose-user.ts';
import { findControl } from './find-control.ts';
import { idTokenCommandOf } from './id-token-command.ts';
import { type JudgeRun, judgeAndReport } from './report.ts';
import type { ReportOptions } from './report-options.ts';

export interface ConformanceProviderOptions extends ReportOptions, UserOptions {
  readonly mock?: true;
  readonly safe?: true;
  /** Milliseconds. */
  readonly timeout: number;
  readonly patience: number;
  readonly clientId: string;
  readonly email?: string;
  readonly consentsPage?: string;
  readonly idTokenCommand?: string;
  readonly servicePort?: number;
  readonly serviceUrl?: string;
  readonly audience?: readonly string[];
  readonly control?: string | false;
}

/** What a run is made of, but for what `judgeAndReport` adds. */
type Prepared = Omit<JudgeProviderOptions, keyof JudgeRun>;

/** Judges a provider that runs, or with `--mock` one of this program. */
export async function conformanceProvider(
  context: Context,
  url: string | undefined,
  options: ConformanceProviderOptions,
): Promise<Outcome> {
  checkCombination(options, url);
  return options.mock === true
    ? judgeOwnMock(context, options)
    : judgeTarget(context, options, await prepare(context, options, targetOf(url)));
}

function targetOf(url: string | undefined): string {
  if (url !== undefined) return withoutFinalSlash(absoluteUrl(url));
  throw usageError('No provider was named.', {
    code: 'provider_missing',
    hint: 'Name its issuer, or let the mock be judged with --mock.',
  });
}

const NEEDLESS_WITH_MOCK = [
  'control',
  'consentsPage',
  'idTokenCommand',
  'servicePort',
  'serviceUrl',
  'audience',
] as const;

function checkCombination(options: ConformanceProviderOptions, url: string | undefined): void {
  if (options.mock !== true) return;
  const clash = (text: string) => usageError(text, { code: 'options_clash' });
  if (url !== undefined) throw clash('--mock judges a mock of its own; leave the address out.');
  const needless = NEEDLESS_WITH_MOCK.find(
    // Without --no-control commander says true; that asks for nothing.
    (name) => typeof options[name] === 'object' || /string|number/.test(typeof options[name]),
  );
  if (needless === undefined) return;
  const flag = needless.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw clash(`--mock knows the way to its own mock; leave --${flag} out.`);
}

async function prepare(
  context: Context,
  options: ConformanceProviderOptions,
  target: string,
): Promise<Prepared> {
  const { control, ca } = await findControl(context, 'provider', target, options.control);
  const { consentsPage, idTokenCommand, servicePort, serviceUrl } = options;
  const base = serviceUrl && withoutFinalSlash(absoluteUrl(serviceUrl, '--service-url'));
  return {
    ...common(context, options),
    target,
    control,
    ca,
    services: {
      ...(servicePort !== undefined && { port: servicePort }),
      ...(base !== undefined && { base }),
    },
    ...(options.audience && { audiences: options.audience.map((each) => audienceOf(each)) }),
    ...(consentsPage !== undefined && {
      consentsUri: absoluteUrl(consentsPage, '--consents-page'),
    }),
    ...(idTokenCommand !== undefined && {
      idTokenCommand: idTokenCommandOf(context, idTokenCommand, target, options.clientId),
    }),
  };
}

function audienceOf(text: string): string {
  return withoutFinalSlash(absoluteUrl(text, '--audience'));
}

function common({ interrupt, world }: Context, options: ConformanceProviderOptions) {
  return {
    clock: world.clock,
    random: world.random,
    // Waiting ends by Ctrl-C, and by whoever no longer waits.
    sleep: (ms: number, signal?: AbortSignal) =>
      world.sleep(ms, signal ? AbortSignal.any([signal, interrupt.signal]) : interrupt.signal),
    timeout: options.timeout,
    patience: options.patience,
    clientId: options.clientId,
    ...(options.email !== undefined && { emailPattern: options.email }),
  };
}

async function judgeOwnMock(
  context: Context,
  options: ConformanceProviderOptions,
): Promise<Outcome> {
  const { clock, random, sleep } = context.world;
  const mock = await startMockProviderTarget({
    clock,
    random,
    sleep,
    fetch: await context.fetch(),
    mock: { clientId: options.clientId },
  });
  try {
    return await judgeTarget(context, options, {
      ...common(context, options),
      target: mock.target,
      consentsUri: mock.consentsUri,
      ...(options.control !== false && { control: mock.control }),
    });
  } finally {
    await mock.close();
  }
}

function judgeTarget(
  context: Context,
  options: ConformanceProviderOptions,
  prepared: Prepared,
): Promise<Outcome> {
  const makeUser = chooseUser(context, options);
  return judgeAndReport(context, options, {
    role: 'provider',
    target: prepared.target,
    scenarios: PROVIDER_SCENARIOS,
    ...(options.safe === true && { safe: true }),
    judge: async ({ catalog, selection, seed, onProgress, show }) => {
      const user = makeUser?.(show);
      try {
        return await judgeProvider({
          ...prepared,
          catalog,
          selection,
          seed,
          onProgress,
          ...(user && { makeUser: () => providerUserOf(user) }),
        });
      } catch (error) {
        throw error instanceof ListenError ? explainPort(error) : error;
      } finally {
        await user?.close?.().catch(() => {});
      }
    },
  });
}

function explainPort(error: ListenError): CliError {
  return new CliError('failed', {
    code: `listen_${error.code}`,
    message: `The suite's services cannot be served: ${error.message}`,
    cause: error,
  });
}
