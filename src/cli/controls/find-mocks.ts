import { covers } from '../../protocol/addresses.ts';
import { namedService } from '../choose-service.ts';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import { type RunningMock, RuntimeFiles } from '../servers/runtime-files.ts';
import { chooseMock, noMock, otherMocks } from './mock-errors.ts';

export type Part = 'service' | 'provider';

/** A mock of this machine that can be controlled. */
export interface ControlTarget {
  readonly part: Part;
  readonly pid: number;
  /** What it calls itself. */
  readonly issuer: string;
  /** Where it listens. */
  readonly origin: string;
  readonly token: string;
  /** The file of the authority that vouches for it. */
  readonly ca: string | null;
}

const BOTH: readonly Part[] = ['service', 'provider'];

/**
 * The mocks that control commands speak to: that of `--service` or `AGENT_AUTH_SERVICE`, else the one
 * service and the one provider that run on this machine. What one process runs is a pair.
 * @param parts those that are wanted.
 * @throws CliError (usage) when none runs, when it is not clear which one is meant, or when it takes no
 *   control.
 */
export async function findMocks(
  context: Context,
  parts: readonly Part[] = BOTH,
): Promise<readonly ControlTarget[]> {
  const running = new RuntimeFiles(context.world.environment).list();
  if (running.length === 0) throw noMock(context, namedService(context, undefined, BY_HAND));
  let named = mockNamed(context, running);
  const chosen: { readonly part: Part; readonly mock: RunningMock }[] = [];
  for (const part of parts) {
    const candidates = candidatesFor(running, named, part);
    let [mock] = candidates;
    if (candidates.length > 1) {
      mock = await chooseMock(context, candidates);
      // Of a pair that a person chose for its one half the other is meant, too.
      named ??= mock;
    }
    if (mock !== undefined) chosen.push({ part, mock });
  }
  const targets = chosen.flatMap(({ part, mock }) => toTarget(part, mock));
  if (targets.length > 0 || chosen.length === 0) return targets;
  throw usageError(
    'The running mock takes no control: it was started with --no-control, or listens on no loopback address.',
    { code: 'control_off', hint: 'Start it without --no-control, on 127.0.0.1.' },
  );
}

/** The mock service. @throws CliError (usage) as {@link findMocks}, and when only a provider runs. */
export async function findMockService(context: Context): Promise<ControlTarget> {
  const [service] = await findMocks(context, ['service']);
  if (service !== undefined) return service;
  throw usageError('No mock service runs here, only a provider.', {
    code: 'mock_missing',
    next: nextLine(context, 'mock service'),
  });
}

const BY_HAND = { environment: false } as const;

/** The one that the person named. An address in the environment may be that of a service which is no mock. */
function mockNamed(context: Context, running: readonly RunningMock[]): RunningMock | undefined {
  const named = namedService(context, undefined);
  if (named === undefined) return undefined;
  const isIt = (own: string | null) => own !== null && covers(own, named);
  const mock = running.find(({ service, provider }) => isIt(service) || isIt(provider));
  if (mock === undefined && namedService(context, undefined, BY_HAND) !== undefined) {
    throw otherMocks(context, running, named);
  }
  return mock;
}

/**
 * Beside a named mock that has not the part, only one that runs alone may be meant: the half of another
 * pair is not.
 */
function candidatesFor(
  running: readonly RunningMock[],
  named: RunningMock | undefined,
  part: Part,
): readonly RunningMock[] {
  if (named !== undefined && named[part] !== null) return [named];
  return running.filter(
    ({ [part]: own, service, provider }) =>
      own !== null && (named === undefined || service === null || provider === null),
  );
}

function toTarget(
  part: Part,
  { control, pid, ca, ...mock }: RunningMock,
): readonly ControlTarget[] {
  const issuer = mock[part];
  const origin = control?.[part];
  if (!control || issuer === null || origin === undefined || origin === null) return [];
  return [{ part, pid, issuer, origin, token: control.token, ca }];
}
