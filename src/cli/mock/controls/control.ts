import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { covers } from '../../../protocol/urls.ts';
import { readBody } from '../../../runtime/read-body.ts';
import { namedService } from '../../prompts/service.ts';
import { CliError, type CliErrorCode, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { readAuthorities } from '../../shell/network.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { PROGRAM_CODES } from '../../shell/program-codes.ts';
import { type RunningMock, RuntimeFiles } from '../../shell/runtime-files.ts';
import type { Style } from '../../terminal/style.ts';
import { table } from '../../terminal/table.ts';
import { chooseMock, noMock, otherMocks, partMissing, replayHasNone } from './mock-errors.ts';

/** What a control is asked: its path below `/__mock`, and the body of a POST. */
type Asked = readonly [path: string, body?: JsonObject | undefined];

/** What one mock answered. */
export interface Answer<Body> {
  readonly target: ControlTarget;
  readonly body: Body;
}

/**
 * A control command of one mock.
 * @param ask what it is asked, by the arguments and options.
 * @param say what is said of the answer.
 */
export function control<Given extends readonly unknown[], Body>(
  part: Part,
  ask: (...given: Given) => Asked,
  say: (issuer: string, body: Body, ...given: Given) => Rendering,
): (context: Context, ...given: Given) => Promise<Outcome> {
  return async (context, ...given) => {
    const asked = ask(...given);
    const target = await findMock(context, part);
    const body = await callControl<Body>(context, target, ...asked);
    return context.output.result(say(target.issuer, body, ...given));
  };
}

/**
 * The answers of each mock of the process that is meant.
 * @param parts of these alone.
 */
export async function askEach<Body>(
  context: Context,
  ask: (target: ControlTarget, first: Body | undefined) => Asked,
  parts?: readonly Part[],
): Promise<readonly Answer<Body>[]> {
  const answers: Answer<Body>[] = [];
  for (const target of await findMocks(context, parts)) {
    const asked = ask(target, answers[0]?.body);
    answers.push({ target, body: await callControl<Body>(context, target, ...asked) });
  }
  return answers;
}

const LIMIT = 4 * 1024 * 1024;

/**
 * Calls the controls of a running mock. The shape of the answer is believed: it is a mock of this program.
 * @throws CliError with what the mock says; NetworkError when it is gone.
 */
export async function callControl<Body = JsonObject>(
  context: Context,
  { origin, token, ca }: Pick<ControlTarget, 'origin' | 'token' | 'ca'>,
  ...[path, body]: Asked
): Promise<Body> {
  const fetch = await context.fetch(
    ca === null ? undefined : (await readAuthorities(ca, context.interrupt.signal)).pem,
  );
  const response = await fetch(`${origin}/__mock${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const read = await readBody(response, LIMIT);
  const answer = read.ok ? parse(read.text) : undefined;
  if (response.status === 200 && answer !== undefined) return answer as Body;
  const { error, error_description: said } = answer ?? {};
  const named = `control_${error}`;
  const code = isControlCode(named) ? named : 'control_failed';
  throw new CliError(PROGRAM_CODES[code].ends, {
    code,
    message:
      typeof said === 'string'
        ? displayText(said, 1_000)
        : `The mock at ${origin} answered ${response.status} without the JSON of a mock's controls.`,
  });
}

function isControlCode(code: string): code is Extract<CliErrorCode, `control_${string}`> {
  return code in PROGRAM_CODES;
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isNotFound(error: unknown): error is CliError {
  return error instanceof CliError && error.code === 'control_not_found';
}

/** Adds to an error for what the mock does not know the command that lists what it knows. */
export function listedBy(context: Context, command: string): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? error.with({ next: nextLine(context, command) }) : error;
  };
}

/** A table under bold names, of text that comes from elsewhere; a dash for what is not there. */
export function listed(
  style: Style,
  columns: number,
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => displayText(String(cell ?? '–'), 120)));
  return table([names.map((name) => style.bold(name)), ...cells], columns);
}

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

/** Finds the mocks of every process, where none is named. @throws CliError (usage) as {@link findMocks}. */
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
