import { open } from 'node:fs/promises';
import { isJsonMediaType, mediaTypeOf } from '../../protocol/media-type.ts';
import { displayText } from '../../protocol/text.ts';
import { textDecoder } from '../../protocol/text-decoder.ts';
import { toNetworkError } from '../../runtime/network-error.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { systemReason } from '../shell/system-reason.ts';
import { unwritable } from '../shell/write-text.ts';
import { HarmlessText } from '../terminal/harmless-text.ts';
import { indentJson } from '../terminal/indent-json.ts';
import { keepStill } from '../terminal/spinner.ts';

/** Longer JSON is shown as it comes: nobody reads that on a screen. Characters. */
const INDENTED = 256 * 1024;

/**
 * Copies the body of an answer to stdout: into a pipe or a file byte for byte; on a terminal as text that
 * does nothing to it, with a line break at its end, JSON with indents. It stops when the reader has closed the pipe.
 * @returns why the body is not shown on a terminal: it is no text.
 * @throws NetworkError when the body breaks off; the head came, so this is no error of the agent's.
 */
export async function copyBody(
  context: Context,
  response: Response,
): Promise<CliError | undefined> {
  const { interrupt, output, world } = context;
  // What is piped may end on the terminal, too: no spinner between its lines.
  const release = keepStill(world.streams.stderr);
  try {
    if (world.streams.stdout.isTTY) return await showText(context, response);
    for await (const chunk of response.body ?? []) {
      if (!(await output.deliver(chunk))) break;
    }
    return undefined;
  } catch (error) {
    // The time limit holds to the end of the body.
    throw toNetworkError(error, interrupt.signal);
  } finally {
    release();
  }
}

/**
 * Writes the body to a file, byte for byte.
 * @throws CliError (usage) when the file cannot be written; NetworkError when the body breaks off.
 */
export async function saveBody(
  { interrupt }: Context,
  { body }: Response,
  file: string,
): Promise<void> {
  const writing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw unwritable(file, systemReason(error), error);
    }
  };
  const handle = await writing(open(file, 'w'));
  try {
    for await (const chunk of body ?? []) await writing(handle.writeFile(chunk));
  } catch (error) {
    throw error instanceof CliError ? error : toNetworkError(error, interrupt.signal);
  } finally {
    await writing(handle.close());
  }
}

async function showText({ output }: Context, response: Response): Promise<CliError | undefined> {
  const decoder = textDecoder(response.headers.get('content-type'));
  const harmless = new HarmlessText();
  // JSON is held back until it is whole.
  let held = isJsonMediaType(mediaTypeOf(response)) ? '' : undefined;
  let last = '\n';
  const show = (text: string) => {
    last = text.at(-1) ?? last;
    return output.deliver(text);
  };
  for await (const chunk of response.body ?? []) {
    const text = decode(() => decoder.decode(chunk, { stream: true }));
    if (text === undefined) return binaryAnswer(response);
    const whole = (held ?? '') + text;
    const isHeld = held !== undefined && whole.length <= INDENTED;
    held = isHeld ? whole : undefined;
    if (!isHeld && !(await show(harmless.push(whole)))) return undefined;
  }
  const rest = decode(() => decoder.decode());
  if (rest === undefined) return binaryAnswer(response);
  await show(harmless.push(held === undefined ? rest : indentJson(held + rest)) + harmless.end());
  if (last !== '\n') output.raw('\n');
  if (harmless.changed) {
    output.say('Control and invisible characters of the answer are not shown; > FILE keeps them.');
  }
  return undefined;
}

/** `undefined` for what is no text: wrong in its charset, or with U+0000 in it. */
function decode(work: () => string): string | undefined {
  try {
    const text = work();
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function binaryAnswer({ headers, status }: Response): CliError {
  const type = displayText(headers.get('content-type') ?? 'of no media type', 60);
  return new CliError('failed', {
    code: 'binary_answer',
    message: `The service answered ${status}; the answer is binary (${type}), so it is not shown on a terminal.`,
    hint: 'To keep it, end the command with: > FILE',
  });
}
