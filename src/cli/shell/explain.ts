import { AgentError, type Problem } from '../../agent/agent-error.ts';
import { openFileLimit } from '../../mock/http/serve-connections.ts';
import { StoreOpenError } from '../../mock/store/errors.ts';
import { requireRoomForFiles } from '../../mock/store/room-for-files.ts';
import { displayText } from '../../protocol/text.ts';
import { isLastingFailure, NetworkError } from '../../runtime/ports.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { OUTCOME_OF_KIND } from './exit-codes.ts';
import type { Next } from './next.ts';
import { checkWithDoctor, nextAfter } from './next-after-error.ts';
import { nextLine } from './next-line.ts';
import type { JsonData } from './output.ts';
import { PROGRAM_CODES } from './program-codes.ts';
import { recognitionJson } from './recognition-json.ts';
import { systemReason } from './system-reason.ts';

/** Any error as one with a message, a hint, a next step and an exit code. */
export function explain(error: unknown, context: Context | undefined): CliError {
  if (error instanceof CliError) return error;
  if (context?.interrupt.signal.aborted || error instanceof Interrupted) {
    return new CliError('interrupted', { code: 'interrupted', message: 'Interrupted.' });
  }
  const tooFew = tooFewFiles(error);
  if (tooFew !== undefined) return tooFew;
  if (error instanceof AgentError) return explainAgent(error, context);
  if (error instanceof NetworkError) return explainNetwork(error, context);
  if (error instanceof StoreOpenError) {
    return new CliError('failed', { code: 'database', message: error.message, cause: error });
  }
  const doctor = context && nextLine(context, 'doctor');
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return explainSystem(error, doctor);
  }
  const text = displayText(error instanceof Error ? error.message : String(error));
  return new CliError('failed', {
    code: 'unexpected',
    message: `Unexpected error: ${text}`,
    hint: 'This is a bug in agent-auth, or an error that it should explain better.',
    next: doctor,
    cause: error,
  });
}

function explainAgent(error: AgentError, context: Context | undefined): CliError {
  const { problem, hops, recognition } = error;
  const variable = context && servedByVariable(context, error.message);
  return new CliError(OUTCOME_OF_KIND[error.kind], {
    code: error.code,
    message: error.message,
    hint: [error.hint, variable].filter(Boolean).join(' ') || undefined,
    next: context && nextAfter(error, context),
    retryable: error.retryable,
    details: {
      ...(problem && { answer: answerJson(problem) }),
      ...(hops && { hops }),
      ...(recognition && { recognition: recognitionJson(recognition) }),
    },
    cause: error,
  });
}

/** Where the URL in the error comes from, if it was not typed. */
function servedByVariable({ argv, world }: Context, message: string): string | undefined {
  const { service } = world.environment;
  if (service === undefined || !URL.canParse(service)) return undefined;
  const { host } = new URL(service);
  if (!message.includes(host) || argv.some((word) => word.includes(host))) return undefined;
  return 'The URL comes from AGENT_AUTH_SERVICE.';
}

/** The server's error as it was sent: untrusted text, without what acts on a terminal. */
function answerJson({ status, sent, description, retryAfter }: Problem): JsonData {
  return {
    status,
    error: sent ?? null,
    description: description ?? null,
    ...((status === 429 || retryAfter !== undefined) && {
      retry_after: retryAfter === undefined ? null : Math.ceil(retryAfter / 1000),
    }),
  };
}

/** An error of the operating system. */
function explainSystem(error: Error, next: Next | undefined): CliError {
  const what =
    'path' in error
      ? `${displayText(String(error.path))} cannot be used`
      : 'The operating system reported an error';
  return new CliError('failed', {
    code: 'system',
    message: `${what}: ${systemReason(error)}.`,
    next,
    cause: error,
  });
}

function explainNetwork(error: NetworkError, context: Context | undefined): CliError {
  const variable = context && servedByVariable(context, error.message);
  const code = `network_${error.code}` as const;
  return new CliError('network', {
    code,
    message: error.message,
    hint: [PROGRAM_CODES[code].advice, variable].filter(Boolean).join(' '),
    next: context && checkWithDoctor(context),
    retryable: !isLastingFailure(error.code),
    cause: error,
  });
}

/** What a command has open at the same time by itself, so that a failure with less room is one of the limit. */
const ROOM = 4;

/**
 * The error where too few files may be open, whatever failed of it: a loader, a resolver and a database each
 * have words of their own, and which file it was, one of the program's own mostly, does not matter.
 */
function tooFewFiles(cause: unknown): CliError | undefined {
  if (!isOfLimit(cause) && !isOfLimit(roomProblem())) return undefined;
  const limit = openFileLimit();
  const which =
    limit === undefined ? 'The limit of open files' : `The limit of ${limit} open files`;
  const message = `${which} is too low: ulimit -n 1024 allows more.`;
  return new CliError('failed', { code: 'system', message, cause });
}

function isOfLimit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMFILE';
}

function roomProblem(): unknown {
  try {
    requireRoomForFiles(ROOM);
    return undefined;
  } catch (error) {
    return error;
  }
}
