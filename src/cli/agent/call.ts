import { AgentError } from '../../agent/agent-error.ts';
import { call as sendCall } from '../../agent/call/call.ts';
import { problemOfCall } from '../../agent/call/judge-call.ts';
import type { CallAnswer } from '../../agent/outcomes.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { retryAfter } from '../../protocol/http-date.ts';
import { isJsonMediaType, mediaTypeOf } from '../../protocol/media-type.ts';
import { displayText } from '../../protocol/text.ts';
import { withoutQuery } from '../../protocol/urls.ts';
import { readBody } from '../../runtime/read-body.ts';
import { openTools } from '../prompts/open-tools.ts';
import { namedService, rememberService, storedService } from '../prompts/service.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { callOutcome, type Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { isSource, readFromSource } from '../shell/read-argument.ts';
import { checkWritable } from '../shell/write-text.ts';
import { copyBody, saveBody } from './copy-body.ts';
import type { CallOptions } from './options.ts';

/** Under `--json` the body is a member of one object, so it has a limit. Bytes. */
const JSON_BODY_LIMIT = 10 * 1024 * 1024;

/** Sends one request with the token, and prints the body of the answer as it is. */
export async function call(
  context: Context,
  target: string,
  options: CallOptions,
): Promise<Outcome> {
  const { output } = context;
  if (options.output !== undefined) checkWritable(options.output);
  const headers = readHeaders(options.header ?? []);
  const body = await readData(context, options.data);
  if (body !== undefined && !Object.hasOwn(headers, 'content-type')) {
    headers['content-type'] = isJson(body)
      ? 'application/json'
      : 'application/x-www-form-urlencoded';
  }
  const tools = await openTools(context);
  const method = options.request?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST');
  // A URL implies its service; only --service overrides that.
  if (URL.canParse(target)) rememberService(context, target);
  const service = URL.canParse(target)
    ? namedService(context, undefined, { environment: false })
    : await storedService(context, tools.store);
  const send = () =>
    sendCall(tools, target, {
      service,
      method,
      headers,
      body,
    });
  const sendRegistered = async () => {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof AgentError) || error.code !== 'not_registered') throw error;
      const { registerFirst } = await import('./register-first.ts');
      return registerFirst(context, { target, init: { method, headers } }, error, send);
    }
  };
  const answer = await sent(context, options, sendRegistered);
  for (const { message } of answer.warnings) output.warn(message);
  const wait = retryAfter(answer.headers, context.world.clock.now());
  if (output.json)
    output.result(presentAnswer(answer, await bodyJson(context, options, answer), wait));
  else await copyAnswer(context, options, answer);
  return judge(context, answer, wait);
}

/** A refusal is an answer, too: its body is printed like any other, then the error is reported. */
async function sent(
  context: Context,
  options: CallOptions,
  send: () => Promise<CallAnswer>,
): Promise<CallAnswer> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof AgentError) || error.answer === undefined) throw error;
    const { answer } = error;
    if (!context.output.json) {
      await copyAnswer(context, options, answer);
      throw error;
    }
    const { explain } = await import('../shell/explain.ts');
    const explained = explain(error, context);
    const problem = problemOfCall(answer);
    const told = {
      status: answer.status,
      error: problem?.sent ?? null,
      description: problem?.description ?? null,
      ...(await bodyJson(context, options, answer)),
    };
    throw explained.with({ details: { ...explained.details, answer: told } });
  }
}

/** @throws CliError `binary_answer` for what a terminal cannot show, unless the status is an error already. */
async function copyAnswer(
  context: Context,
  { include, output: file }: CallOptions,
  answer: CallAnswer,
): Promise<void> {
  const { output } = context;
  if (include) output.raw(presentHead(answer));
  if (file !== undefined) {
    await saveBody(context, answer.response, file);
    output.say(`The body is in ${displayText(file, 1024)}.`);
    return;
  }
  const unshown = await copyBody(context, answer.response);
  if (unshown === undefined) return;
  if (answer.response.ok) throw unshown;
  output.warn(`${unshown.message} ${unshown.hint}`);
}

/** The status decides the exit code; the body went to stdout either way. */
function judge(
  context: Context,
  { status, headers, url }: CallAnswer,
  wait: number | undefined,
): Outcome {
  const outcome = callOutcome(status);
  if (outcome === 'done') return outcome;
  const { output } = context;
  const to = status < 400 && headers.has('location') ? ', a redirect that is not followed' : '';
  const asks = wait === undefined ? '' : ` It asks to wait ${describeDuration(wait)}.`;
  // Its query may hold a credential.
  output.warn(`${displayText(withoutQuery(url), 1024)} answered ${status}${to}.${asks}`);
  return outcome;
}

/** @throws CliError (usage) for a line that is no header. */
function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    // The line is not echoed: it may be a credential.
    if (name === undefined || value === undefined) {
      throw usageError('A header is written as "Name: value".');
    }
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}

async function readData(
  context: Context,
  data: string | undefined,
): Promise<string | Uint8Array | undefined> {
  return data !== undefined && isSource(data) ? readFromSource(context, data) : data;
}

function isJson(body: string | Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** The body as a member of a JSON object; in the file alone where one was named. */
async function bodyJson(context: Context, { output: file }: CallOptions, answer: CallAnswer) {
  if (file === undefined) return { body: await readForJson(answer) };
  await saveBody(context, answer.response, file);
  return { body: null, file };
}

/** The body for one JSON object: parsed where its media type is JSON and it parses, else as text. */
async function readForJson({ headers, response }: CallAnswer): Promise<unknown> {
  const body = await readBody(response, JSON_BODY_LIMIT);
  if (body.ok) return isJsonMediaType(mediaTypeOf({ headers })) ? parsed(body.text) : body.text;
  if (body.problem === 'not_utf8') return null;
  throw new CliError('failed', {
    code: 'answer_too_large',
    message: 'The answer is too large for one JSON object.',
    hint: 'Leave --json out to get the body as it is.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * @param sent its `body`: parsed where it is JSON, else its text; `null` when it is not text or in `file`.
 * @param wait milliseconds that the server asks to wait.
 */
function presentAnswer(
  answer: CallAnswer,
  sent: { readonly body: unknown; readonly file?: string },
  wait: number | undefined,
): Rendering {
  return {
    schema: 'call',
    json: () => ({
      url: answer.url,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      ...sent,
      ...((answer.status === 429 || wait !== undefined) && {
        retry_after: wait === undefined ? null : Math.ceil(wait / 1000),
      }),
      warnings: answer.warnings,
    }),
    human: () => '',
  };
}

/** Status line and headers, as `curl -i` prints them. */
function presentHead({ status, headers }: CallAnswer): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${displayText(value, 8192)}`);
  return `${[`HTTP ${status}`, ...lines].join('\n')}\n\n`;
}
