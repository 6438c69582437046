import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { readBody } from '../../../runtime/read-body.ts';
import { readAuthorities } from '../../shell/authorities.ts';
import { CliError, type CliErrorCode } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { nextLine } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { PROGRAM_CODES } from '../../shell/program-codes.ts';
import type { Style } from '../../terminal/style.ts';
import { table } from '../../terminal/table.ts';
import { type ControlTarget, findMock, findMocks, type Part } from './find-mocks.ts';

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
    context.output.result(say(target.issuer, body, ...given));
    return 'done';
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
 * One call of a running mock's controls. Its shape is believed: it is a mock of this program.
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
  const code = `control_${error}`;
  throw new CliError(response.status === 409 ? 'refused' : 'failed', {
    code: isControlCode(code) ? code : 'control_failed',
    message:
      typeof said === 'string'
        ? displayText(said)
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

/** Has an error for what the mock does not know lead to the command that lists what it knows. */
export function listedBy(context: Context, command: string): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? error.with(nextLine(context, command)) : error;
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
