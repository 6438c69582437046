import { type CliError, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { nextLine, typedAgain } from '../../shell/next-line.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';

export function noMock(context: Context, named: string | undefined): CliError {
  const { folder } = new RuntimeFiles(context.world.environment);
  return usageError(
    named === undefined
      ? 'No mock is running on this machine.'
      : `No mock on this machine runs at ${named}.`,
    {
      code: 'mock_missing',
      // Whoever names one may well see it answer.
      hint:
        named === undefined
          ? 'Start one.'
          : `Start one. One that runs already is found by its file in ${folder}: not if another user started it, or a shell with another XDG_RUNTIME_DIR.`,
      next: nextLine(context, 'mock up'),
    },
  );
}

/** Mocks run, but not the one that was named. */
export function otherMocks(
  context: Context,
  mocks: readonly RunningMock[],
  named: string,
): CliError {
  const isTyped = context.options.service !== undefined;
  const message = `No mock on this machine runs at ${named}${isTyped ? '' : ' (from AGENT_AUTH_SERVICE)'}.`;
  const [only, another] = mocks;
  if (only === undefined || another !== undefined) {
    return usageError(message, { code: 'mock_missing', ...choices(context, mocks) });
  }
  // What was meant for the mock that was typed is not done to another one by the next line.
  return usageError(message, {
    code: 'mock_missing',
    ...choices(context, mocks),
    hint: isTyped
      ? `Another one runs at ${urlOf(only)}. Name that one, or start the one that you mean.`
      : `Another one runs at ${urlOf(only)}.`,
    ...(isTyped && { next: nextLine(context, 'mock up') }),
  });
}

/** Mocks run, but the named one, or each of them, lacks the part that is wanted. */
export function partMissing(
  context: Context,
  mocks: readonly RunningMock[],
  part: 'service' | 'provider',
  named: string | undefined,
): CliError {
  const having = mocks.filter((mock) => mock[part] !== null);
  const other = part === 'service' ? 'provider' : 'service';
  const message =
    named === undefined
      ? `Only a mock ${other} is running here, no ${part}.`
      : `The mock at ${named} has no ${part}.`;
  return usageError(message, {
    code: 'mock_missing',
    ...(having.length === 0
      ? { next: nextLine(context, `mock ${part}`) }
      : choices(context, having)),
  });
}

/** A replay only answers: what it answers is seen by a proxy in front of it. */
export function replayHasNone(context: Context, mock: RunningMock): CliError {
  return usageError(
    `${urlOf(mock)} replays a transcript: a replay has no controls and no live view.`,
    {
      code: 'control_off',
      hint: 'To see what it is asked and answers, put a proxy before it, and let the agent go there.',
      next: nextLine(context, 'proxy', '--to', urlOf(mock)),
    },
  );
}

/**
 * Several fit: the user at the terminal chooses.
 * @throws CliError (usage) where nobody can be asked: none is taken by chance, for a reset cannot be undone.
 */
export async function chooseMock(
  context: Context,
  mocks: readonly RunningMock[],
): Promise<RunningMock> {
  if (context.canAsk) {
    const list = mocks.map((mock) => ({
      value: String(mock.pid),
      name: `${[mock.service, mock.provider].filter((each) => each !== null).join(' and ')}, process ${mock.pid}`,
    }));
    const pid = await context.world.ask.select('Which mock?', list);
    const mock = mocks.find((each) => String(each.pid) === pid);
    if (mock !== undefined) return mock;
  }
  throw usageError('Several mocks are running on this machine, and none was named.', {
    code: 'mock_ambiguous',
    ...choices(context, mocks),
  });
}

/** The typed line for each mock; their URLs for programs. */
function choices(context: Context, mocks: readonly RunningMock[]) {
  const urls = mocks.map(urlOf);
  const lines = urls.flatMap((url) => typedAgain(context, '--service', url)?.line ?? []);
  const [only, another] = urls;
  return {
    hint:
      another === undefined
        ? `The mock at ${only ?? 'URL'} has one.`
        : lines.length === 0
          ? `Name one with --service: ${urls.join(', ')}`
          : `Type one of:\n    ${lines.join('\n    ')}`,
    next: typedAgain(context, '--service', another === undefined ? (only ?? 'URL') : 'URL'),
    details: { mocks: mocks.map(({ pid, service, provider }) => ({ pid, service, provider })) },
  };
}

/** A pair is named by the URL of its service. */
function urlOf({ service, provider }: RunningMock): string {
  return service ?? provider ?? 'URL';
}
