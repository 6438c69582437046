import { covers } from '../../../protocol/urls.ts';
import { namedService } from '../../choose/service.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';
import { chooseMock, noMock, otherMocks, partMissing, replayHasNone } from './mock-errors.ts';

export type Part = 'service' | 'provider';

/** A mock of this machine that can be controlled. */
export interface ControlTarget {
  readonly part: Part;
  readonly pid: number;
  /** Its issuer, which may differ from where it listens. */
  readonly issuer: string;
  /** Where it listens. */
  readonly origin: string;
  readonly token: string;
  /** The file with its CA certificate. */
  readonly ca: string | null;
}

const BOTH: readonly Part[] = ['service', 'provider'];

/**
 * The process that a control command is for, with both mocks of a pair: that of `--service`, else of
 * `AGENT_AUTH_SERVICE`, else the only one with a part that is wanted; a user at a terminal chooses among
 * several.
 * @param parts those that are wanted.
 * @throws CliError (usage) when none runs or has the part, when it is not clear which one is meant, or
 *   when it takes no control.
 */
export async function findMocks(
  context: Context,
  parts: readonly Part[] = BOTH,
): Promise<readonly ControlTarget[]> {
  const running = new RuntimeFiles(context.world.environment).list();
  const mock = await chosen(context, running, parts);
  const targets = parts.flatMap((part) => toTarget(part, mock));
  if (targets.length > 0) return targets;
  if (mock.isReplay) throw replayHasNone(context, mock);
  throw usageError(
    'The running mock cannot be controlled: it was started with --no-control, or does not listen on loopback.',
    { code: 'control_off', hint: 'Start it without --no-control, on 127.0.0.1.' },
  );
}

/** Those of every process, where none is named. @throws CliError (usage) as {@link findMocks}. */
export async function findAllMocks(context: Context): Promise<readonly ControlTarget[]> {
  if (namedService(context, undefined) === undefined) {
    const running = new RuntimeFiles(context.world.environment).list();
    const all = running.flatMap((mock) => BOTH.flatMap((part) => toTarget(part, mock)));
    if (all.length > 0) return all;
  }
  return findMocks(context);
}

/** The one mock that has this part. @throws CliError (usage) as {@link findMocks}. */
export async function findMock(context: Context, part: Part): Promise<ControlTarget> {
  const [target] = await findMocks(context, [part]);
  if (target === undefined) throw new Error('findMocks returned nothing');
  return target;
}

/** The process that is meant. */
async function chosen(
  context: Context,
  running: readonly RunningMock[],
  parts: readonly Part[],
): Promise<RunningMock> {
  const named = namedService(context, undefined);
  if (running.length === 0) throw noMock(context, context.options.service && named);
  const meant = named === undefined ? running : running.filter((mock) => answersTo(mock, named));
  if (named !== undefined && meant.length === 0) throw otherMocks(context, running, named);
  const having = meant.filter((mock) => parts.some((part) => mock[part] !== null));
  const [only, another] = having;
  if (only === undefined) throw partMissing(context, running, parts[0] ?? 'service', named);
  return another === undefined ? only : chooseMock(context, having);
}

function answersTo({ service, provider }: RunningMock, named: string): boolean {
  return [service, provider].some((own) => own !== null && covers(own, named));
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
