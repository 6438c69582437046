import { type CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Next } from '../next.ts';
import { nextLine } from '../next-line.ts';
import type { RunningMock } from '../servers/runtime-files.ts';

export function noMock(context: Context, named: string | undefined): CliError {
  return usageError(
    named === undefined ? 'No mock runs on this machine.' : `No mock of this machine is ${named}.`,
    { code: 'mock_missing', hint: 'Start one.', next: nextLine(context, 'mock up') },
  );
}

/** Some run, and the one that was named by hand is not among them. */
export function otherMocks(
  context: Context,
  mocks: readonly RunningMock[],
  named: string,
): CliError {
  return usageError(`No mock of this machine is ${named}.`, {
    code: 'mock_missing',
    ...choices(context, mocks),
  });
}

/**
 * Several would do: a person at the terminal chooses.
 * @throws CliError (usage) where nobody can be asked: none of them is taken, for what is reset is gone.
 */
export async function chooseMock(
  context: Context,
  mocks: readonly RunningMock[],
): Promise<RunningMock | undefined> {
  if (context.canAsk) {
    const list = mocks.map((mock) => ({
      value: String(mock.pid),
      name: `${[mock.service, mock.provider].filter((each) => each !== null).join(' and ')}, process ${mock.pid}`,
    }));
    const pid = await context.world.ask.select('Which mock?', list);
    return mocks.find((mock) => String(mock.pid) === pid);
  }
  throw usageError('Several mocks run on this machine, and none was named.', {
    code: 'mock_ambiguous',
    ...choices(context, mocks),
  });
}

/** The line that was typed, for each mock; a program is told the addresses. */
function choices(context: Context, mocks: readonly RunningMock[]) {
  const lines = mocks.map((mock) => typedAgain(context, addressOf(mock)).line);
  return {
    hint: `Type one of:\n    ${lines.join('\n    ')}`,
    next: typedAgain(context, 'URL'),
    details: { mocks: mocks.map(({ pid, service, provider }) => ({ pid, service, provider })) },
  };
}

function typedAgain(context: Context, service: string): Next {
  const { argv } = context;
  const [command = 'mock', ...args] = argv.filter(
    (word, index) => !/^--service(=|$)/.test(word) && argv[index - 1] !== '--service',
  );
  return nextLine(context, command, ...args, '--service', service);
}

/** A pair answers to the address of its service. */
function addressOf({ service, provider }: RunningMock): string {
  return service ?? provider ?? 'URL';
}
