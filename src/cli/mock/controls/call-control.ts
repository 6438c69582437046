import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { readBody } from '../../../runtime/read-body.ts';
import { readAuthorities } from '../../shell/authorities.ts';
import { CliError, type CliErrorCode } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import { PROGRAM_CODES } from '../../shell/program-codes.ts';
import type { ControlTarget } from './find-mocks.ts';

const LIMIT = 4 * 1024 * 1024;

/**
 * One call of a running mock's controls.
 * @throws CliError with what the mock says; NetworkError when it is gone.
 */
export async function callControl(
  context: Context,
  { origin, token, ca }: Pick<ControlTarget, 'origin' | 'token' | 'ca'>,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
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
  if (response.status === 200 && answer !== undefined) return answer;
  const said = answer?.['error_description'];
  const code = `control_${answer?.['error']}`;
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
