import { setMaxListeners } from 'node:events';
import type { ScenarioResult } from '../../conformance/engine/model.ts';
import type { User } from '../../conformance/user/user.ts';
import { orExplain } from '../mock/servers/explain-listen.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { chooseUser, type UserOptions } from './choose-user.ts';
import {
  type JudgeRun,
  type Judging,
  judgeAndReport,
  type ReportOptions,
} from './judge-and-report.ts';
import type { AccountOptions } from './users.ts';

/** What `conformance service` and `conformance provider` take alike. */
export interface TargetOptions extends ReportOptions, UserOptions, AccountOptions {
  readonly mock?: true;
  readonly safe?: true;
  /** Milliseconds. */
  readonly timeout: number;
  readonly patience: number;
  readonly control?: string | false;
}

/**
 * With `--mock` the suite sets the mock up itself, so an option that says how to reach a target is refused.
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

interface TargetJudging extends Omit<Judging, 'safe' | 'judge'> {
  /** @param user Who does the user's part; undefined: the forms of the pages, new ones for each scenario. */
  judge(run: JudgeRun, user: User | undefined): Promise<readonly ScenarioResult[]>;
}

/** Judges a target with the chosen user, and reports. @throws CliError (usage) when the choice is none. */
export function judgeTarget(
  context: Context,
  options: TargetOptions,
  { judge, ...judging }: TargetJudging,
): Promise<Outcome> {
  const makeUser = chooseUser(context, options);
  return judgeAndReport(context, options, {
    ...judging,
    ...(options.safe === true && { safe: true }),
    judge: async (run) => {
      const user = makeUser?.(run.show);
      try {
        return await orExplain(context, judge(run, user), 'usage');
      } finally {
        // A browser that did not start has nothing to close; its scenario reported that.
        await user?.close?.().catch(() => {});
      }
    },
  });
}
