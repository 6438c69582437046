import { type CliError, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { RunningMock } from '../../shell/runtime-files.ts';
import { typedAgain } from '../../shell/typed-again.ts';

export function noMock(context: Context, named: string | undefined): CliError {
  return usageError(
    named === undefined ? 'No mock runs on this machine.' : `No mock of this machine is ${named}.`,
    { code: 'mock_missing', hint: 'Start one.', next: nextLine(context, 'mock up') },
  );
}

/** Some run, and the one that was named is not among them. */
export function otherMocks(
  context: Context,
  mocks: readonly RunningMock[],
  named: string,
): CliError {
  const source = context.options.service === undefined ? ' (from AGENT_AUTH_SERVICE)' : '';
  return usageError(`No mock of this machine is ${named}${source}.`, {
    code: 'mock_missing',
    ...choices(context, mocks),
  });
}

/** Some run, and the one that was named, or each of them, has not the part that is wanted. */
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
      ? `No mock ${part} runs here, only a ${other}.`
      : `The mock that is ${named} has no ${part}.`;
  return usageError(message, {
    code: 'mock_missing',
    ...(having.length === 0
      ? { next: nextLine(context, `mock ${part}`) }
      : choices(context, having)),
  });
}

/**
 * Several would do: a person at the terminal chooses.
 * @throws CliError (usage) where nobody can be asked: none of them is taken, for what is reset is gone.
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
  throw usageError('Several mocks run on this machine, and none was named.', {
    code: 'mock_ambiguous',
    ...choices(context, mocks),
  });
}

/** The line that was typed, for each mock; a program is told the addresses. */
function choices(context: Context, mocks: readonly RunningMock[]) {
  const addresses = mocks.map(addressOf);
  const lines = addresses.flatMap(
    (address) => typedAgain(context, '--service', address)?.line ?? [],
  );
  const [only, another] = addresses;
  return {
    hint:
      lines.length === 0
        ? `Name one with --service: ${addresses.join(', ')}`
        : `Type${another === undefined ? '' : ' one of'}:\n    ${lines.join('\n    ')}`,
    next: typedAgain(context, '--service', another === undefined ? (only ?? 'URL') : 'URL'),
    details: { mocks: mocks.map(({ pid, service, provider }) => ({ pid, service, provider })) },
  };
}

/** A pair answers to the address of its service. */
function addressOf({ service, provider }: RunningMock): string {
  return service ?? provider ?? 'URL';
}
