import { namedService } from '../choose-service.ts';
import { type CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import { type RunningMock, RuntimeFiles } from '../servers/runtime-files.ts';

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

/**
 * The mocks that control commands speak to: the one of `--service`, else the newest service and the
 * newest provider that run on this machine.
 * @throws CliError (usage) when none runs, or none of them can be controlled.
 */
export function findMocks(context: Context): readonly ControlTarget[] {
  const running = new RuntimeFiles(context.world.environment).list();
  // An address in the environment is that of the agent's service; a mock is named by hand alone.
  const named = namedService(context, undefined, { environment: false });
  const chosen = running.filter(
    ({ service, provider }) => named === undefined || service === named || provider === named,
  );
  const parts = (['service', 'provider'] as const).flatMap((part) => {
    const mock = chosen.find((each) => each[part] !== null);
    return mock === undefined ? [] : [{ part, mock }];
  });
  if (parts.length === 0) throw noMock(context, named);
  const targets = parts.flatMap(({ part, mock }) => toTarget(part, mock));
  if (targets.length > 0) return targets;
  throw usageError(
    'The running mock takes no control: it was started with --no-control, or listens on no loopback address.',
    { code: 'control_off', hint: 'Start it without --no-control, on 127.0.0.1.' },
  );
}

/** The mock service among them. @throws CliError (usage) when only a provider runs. */
export function findMockService(context: Context): ControlTarget {
  const service = findMocks(context).find(({ part }) => part === 'service');
  if (service !== undefined) return service;
  throw usageError('No mock service runs here, only a provider.', {
    code: 'mock_missing',
    next: nextLine(context, 'mock service'),
  });
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

function noMock(context: Context, named: string | undefined): CliError {
  return usageError(
    named === undefined ? 'No mock runs on this machine.' : `No mock of this machine is ${named}.`,
    { code: 'mock_missing', hint: 'Start one.', next: nextLine(context, 'mock up') },
  );
}
