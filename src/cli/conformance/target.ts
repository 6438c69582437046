import { setMaxListeners } from 'node:events';
import type { ScenarioResult } from '../../conformance/engine/model.ts';
import type { ServedMock } from '../../conformance/target/serve-mock.ts';
import type { User } from '../../conformance/user/user.ts';
import type { ProxyFor } from '../../runtime/proxy.ts';
import { trustedRoots } from '../../runtime/system-roots.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { absoluteUrl } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readAuthorities, readNetwork } from '../shell/network.ts';
import { type RunningMock, RuntimeFiles } from '../shell/runtime-files.ts';
import { judgeAfterRestarts } from './judge-after-restarts.ts';
import { type JudgeRun, type Judging, judgeAndReport } from './judge-and-report.ts';
import type { TargetOptions } from './options.ts';
import { chooseUser, usersGiven } from './users.ts';

/**
 * Refuses an option that says how to reach a target beside `--mock`, with which the suite sets the mock up itself.
 * @param reaching Options of the command that do.
 * @throws CliError (usage)
 */
export function checkMock<Options extends TargetOptions>(
  options: Options,
  url: string | undefined,
  reaching: readonly (keyof Options & string)[],
): void {
  if (options.mock !== true) return;
  const clash = (text: string) => usageError(text, { code: 'options_clash' });
  if (url !== undefined) throw clash('--mock judges a mock of its own; leave the URL out.');
  const needless = reaching.find((name) => isGiven(name, options[name]));
  if (needless === undefined) return;
  const flag = needless.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw clash(`--mock judges a mock of its own; leave --${flag} out.`);
}

/** commander sets a negatable option to false, or by default to true: `--no-control` works with a mock, too. */
function isGiven(name: string, value: unknown): boolean {
  return value !== undefined && (typeof value !== 'boolean' || name === 'rerun');
}

/** The settings of a run that both judges take. */
export function settingsOf(
  { interrupt, world }: Pick<Context, 'interrupt' | 'world'>,
  { patience, timeout }: Pick<TargetOptions, 'patience' | 'timeout'>,
) {
  // As many scenarios as wait at the same time hear of it.
  setMaxListeners(0, interrupt.signal);
  return {
    clock: world.clock,
    random: world.random,
    // Ctrl-C ends waiting, and so does the signal of the scenario.
    sleep: (ms: number, signal?: AbortSignal) =>
      world.sleep(ms, signal ? AbortSignal.any([signal, interrupt.signal]) : interrupt.signal),
    timeout,
    patience,
  };
}

/** What every role is judged with. */
type TargetRun = ReturnType<typeof settingsOf> &
  Awaited<ReturnType<typeof usersGiven>> &
  Partial<Awaited<ReturnType<typeof findControl>>> & {
    readonly target: string;
    readonly allowOrigins?: readonly string[] | undefined;
  };

interface MockToJudge<Own> extends Pick<ServedMock, 'target' | 'control' | 'close'> {
  readonly own: Own;
}

/**
 * A role whose implementation is reached by a URL.
 * @typeParam Own What it alone is judged with.
 */
export interface JudgedRole<Options extends TargetOptions, Own>
  extends Pick<Judging, 'scenarios' | 'core'> {
  readonly role: 'service' | 'provider';
  /** Options that say how to reach a target. */
  readonly reaching: readonly (keyof Options & string)[];
  /** `undefined`: none was named. */
  namedTarget(context: Context, url: string | undefined): string | undefined;
  startMock(context: Context, options: Options): Promise<MockToJudge<Own>>;
  read(context: Context, options: Options, target: string): Promise<Own>;
  /** @param user Who does the user's part; undefined: the forms of the pages, new ones for each scenario. */
  judge(
    run: TargetRun & Own & Omit<JudgeRun, 'show'>,
    user: User | undefined,
  ): Promise<readonly ScenarioResult[]>;
}

/** Judges what runs at a URL, or with `--mock` one of this program. */
export async function conformanceTarget<Options extends TargetOptions, Own>(
  context: Context,
  judged: JudgedRole<Options, Own>,
  url: string | undefined,
  options: Options,
): Promise<Outcome> {
  const { reaching, role } = judged;
  checkMock(options, url ?? (role === 'service' ? context.options.service : undefined), reaching);
  const shared = async () => ({
    ...settingsOf(context, options),
    ...(await usersGiven(context, options)),
  });
  if (options.mock === true) {
    const { close, control, own, target } = await judged.startMock(context, options);
    try {
      const reached = {
        ...(await shared()),
        target,
        ...(options.control !== false && { control }),
      };
      return await judgeTarget(context, options, judged, { ...reached, ...own });
    } finally {
      await close();
    }
  }
  const target = judged.namedTarget(context, url);
  // Never the one used last: judging makes registrations.
  if (target === undefined) throw noTarget(role);
  const judge = async () =>
    judgeTarget(context, options, judged, {
      ...(await shared()),
      ...(await findControl(context, role, target, options.control)),
      ...{ target, allowOrigins: context.options.allowOrigin },
      ...(await judged.read(context, options, target)),
    });
  return options.rerun === true ? judgeAfterRestarts(context, target, judge) : judge();
}

function noTarget(role: 'service' | 'provider') {
  return usageError(`No ${role} was named.`, {
    code: `${role}_missing`,
    hint: `Name its ${role === 'service' ? 'URL' : 'issuer'}, or judge a mock with --mock.`,
  });
}

/** Judges a target with the chosen user, and reports. @throws CliError (usage) when the choice is none. */
function judgeTarget<Options extends TargetOptions, Own>(
  context: Context,
  options: Options,
  { core, judge, role, scenarios }: JudgedRole<Options, Own>,
  reached: TargetRun & Own,
): Promise<Outcome> {
  const makeUser = chooseUser(context, options);
  return judgeAndReport(context, options, {
    ...{ role, scenarios, core, target: reached.target },
    ...(options.safe === true && { safe: true }),
    judge: async ({ show, ...run }) => {
      const user = makeUser?.(show);
      try {
        return await orExplain(context, judge({ ...reached, ...run }, user), 'usage');
      } finally {
        // A browser that did not start has nothing to close; its scenario reported that.
        await user?.close?.().catch(() => {});
      }
    },
  });
}

interface FoundControl {
  readonly url: string;
  readonly token: string;
}

/** How the target is reached. */
interface FoundMock {
  readonly control: FoundControl | undefined;
  readonly proxyFor: ProxyFor;
  /** PEM of every authority to trust, with that of `--ca` or of the mock; undefined: those of Node. */
  readonly ca: string | undefined;
}

/**
 * The control API for a run: the one that `--control` names, with the token of the environment or of the
 * mock that listens there; else that of the target, when it is a mock that runs on this machine.
 * @param asked `false` with `--no-control`.
 * @throws CliError (usage) when there is no token for the one that was named.
 */
async function findControl(
  context: Context,
  part: 'service' | 'provider',
  target: string,
  asked: string | false | undefined,
): Promise<FoundMock> {
  const { environment } = context.world;
  const mocks = new RuntimeFiles(environment).list();
  const mock = mocks.find((each) => isAt(each, part, target));
  const own = mock?.ca ?? undefined;
  const file =
    (await context.authorities()) ??
    (own === undefined ? undefined : await readAuthorities(own, context.interrupt.signal));
  const ca = file === undefined ? undefined : trustedRoots([file.pem]).join('\n');
  const { proxyFor } = readNetwork(environment.source, file);
  if (asked === false) return { control: undefined, ca, proxyFor };
  if (asked === undefined) {
    const url = mock?.control?.[part];
    const control = mock?.control && url ? { url, token: mock.control.token } : undefined;
    return { control, ca, proxyFor };
  }
  const url = absoluteUrl(asked, 'The URL of --control');
  const token =
    environment.controlToken ?? mocks.find((each) => isAt(each, part, url))?.control?.token;
  if (token === undefined) {
    throw usageError(`There is no token for the control API at ${url}.`, {
      code: 'control_token_missing',
      hint: 'Set AGENT_AUTH_CONTROL_TOKEN; for a mock that runs on this machine none is needed.',
    });
  }
  return { control: { url, token }, ca, proxyFor };
}

function isAt(mock: RunningMock, part: 'service' | 'provider', url: string): boolean {
  const { origin } = new URL(url);
  return [mock[part], mock.control?.[part]].some(
    (own) => typeof own === 'string' && URL.canParse(own) && new URL(own).origin === origin,
  );
}
