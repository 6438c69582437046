import { stepAfter } from '../../agent/agent-codes.ts';
import { AgentError, type Problem } from '../../agent/agent-error.ts';
import { credentialFolder, credentialPath } from '../../agent/credentials/location.ts';
import type { NextCommand, Step } from '../../agent/next-step.ts';
import { openFileLimit } from '../../mock/http/serve-connections.ts';
import { StoreOpenError } from '../../mock/store/errors.ts';
import { requireRoomForFiles } from '../../mock/store/room-for-files.ts';
import { printableUrl } from '../../protocol/mask-tokens.ts';
import { displayText } from '../../protocol/text.ts';
import { isLoopbackHost } from '../../protocol/urls.ts';
import { isLastingFailure, NetworkError } from '../../runtime/ports.ts';
import { Interrupted } from '../terminal/interrupted.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { OUTCOME_OF_KIND } from './exit-codes.ts';
import { PROVIDER_PORT, SERVICE_PORT } from './mock-ports.ts';
import { commandLine, type Next } from './next.ts';
import { nextLine, nextStepLine, typedAgain } from './next-line.ts';
import type { JsonData } from './output.ts';
import { PROGRAM_CODES } from './program-codes.ts';
import { recognitionJson } from './recognition-json.ts';
import { RuntimeFiles } from './runtime-files.ts';
import { systemReason } from './system-reason.ts';
import { corrected } from './typed-line.ts';

/** Explains any error by a message, a hint, a next step and an exit code. */
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
  const isRefused = error.cause instanceof NetworkError && error.cause.code === 'refused';
  const mocks = isRefused && context && mocksBeside(context, error.next?.args[0] ?? '');
  return new CliError(OUTCOME_OF_KIND[error.kind], {
    code: error.code,
    message: error.message,
    hint: [error.hint, variable, mocks].filter(Boolean).join(' ') || undefined,
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

/** Where the mocks of this machine listen, after an address of this machine where nothing does. */
export function mocksBeside({ world }: Context, url: string): string | undefined {
  if (portHere(url) === undefined) return undefined;
  const mocks = new RuntimeFiles(world.environment)
    .list()
    .flatMap(({ provider, service }) => service ?? provider ?? []);
  if (mocks.length === 0) return undefined;
  return `${mocks.length === 1 ? 'A mock runs' : 'Mocks run'} at ${mocks.join(', ')}.`;
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
    next: context && (mendedLine(context, error) ?? checkWithDoctor(context)),
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

/** The command to type after an error of the agent; `undefined` where there is none. */
function nextAfter(error: AgentError, context: Context): Next | undefined {
  const { code, problem, retryable } = error;
  const step = error.next ?? stepAfter(code);
  if (code === 'credentials_open_to_others') return closeCredentials(context);
  if (code === 'foreign_origin') return allowOrigin(context);
  if (code === 'bad_email' && error.next === undefined) {
    return typedAgain(context, '--email', 'EMAIL');
  }
  // Of the environment's token alone no step is known: whoever registers would register twice.
  if (code === 'token_refused' && error.next === undefined) {
    return commandLine('unset', 'AGENT_AUTH_TOKEN');
  }
  const mended = error.cause instanceof NetworkError ? mendedLine(context, error.cause) : undefined;
  if (mended !== undefined) return mended;
  // Refused by the server for a reason without a step of ours: the same again later, or its metadata.
  const isProvider = problem?.surface === 'provider';
  if (step === undefined && problem !== undefined) {
    return (retryable ? typedAgain(context) : undefined) ?? checkWithDoctor(context, isProvider);
  }
  if (step === undefined) return undefined;
  if (isUsualMock(step)) return nextLine(context, 'mock up');
  return nextStepLine(context, stepAbout(context, step, isProvider));
}

/** The typed line, changed where that is what the connection failed for; `undefined` where it is not. */
function mendedLine(context: Context, { code }: NetworkError): Next | undefined {
  const { argv, options, world } = context;
  if (code === 'tls') {
    if (options.ca !== undefined) return undefined;
    return typedAgain(context, '--ca', authorityOfMock(context) ?? 'FILE');
  }
  const schemes = { not_tls: ['https:', 'http:'], reset: ['http:', 'https:'] } as const;
  const [from, to] = code === 'not_tls' || code === 'reset' ? schemes[code] : [];
  const typed = argv.filter(
    (word) => from !== undefined && word.toLowerCase().startsWith(`${from}//`),
  );
  const [url = '', ...others] = typed;
  // Plain http is for this machine alone.
  if (from === undefined || others.length > 0 || !URL.canParse(url)) return undefined;
  if (!isLoopbackHost(new URL(url).hostname)) return undefined;
  const program = world.environment.programName.split(' ');
  return corrected({ program, argv }, url, [`${to}${url.slice(from.length)}`]);
}

/** The certificate of the running mock that the line is about: a URL of this machine, with its port. */
function authorityOfMock({ about, argv, world }: Context): string | undefined {
  const meant = [...argv, about.service ?? ''].map(portHere).filter((port) => port !== undefined);
  const running = new RuntimeFiles(world.environment).list();
  return (
    running
      .filter(({ ca }) => ca !== null)
      .find(({ provider, service }) =>
        [service, provider].some((url) => url !== null && meant.includes(portHere(url) ?? '')),
      )?.ca ?? undefined
  );
}

/** The port of a URL on this machine, by whichever of its names. */
function portHere(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port } = new URL(text);
  return isLoopbackHost(hostname) ? port : undefined;
}

/** @param isProvider the failure was a provider's. */
function checkWithDoctor(context: Context, isProvider = false): Next {
  return nextStepLine(context, stepAbout(context, { command: 'doctor', args: [] }, isProvider));
}

/** The same line with the option by which the user accepts the other origin. */
function allowOrigin(context: Context): Next {
  const { about, argv } = context;
  const flag = ['--allow-origin', 'ORIGIN'];
  // The words behind `--` belong to another program.
  const again = argv.includes('--') ? undefined : typedAgain(context, ...flag);
  const { command, args } = stepAbout({ about }, { command: 'discover', args: flag });
  return again ?? nextLine(context, command, ...args);
}

function closeCredentials({ world }: Context): Next {
  const folder = credentialFolder({ environment: world.environment.source });
  return commandLine('chmod', '600', credentialPath(folder, process.platform));
}

/** Whether doctor would look at a mock on its default port: then no mock was started. */
function isUsualMock({ command, args }: Step): boolean {
  const [url] = args;
  if (command !== 'doctor' || url === undefined || !URL.canParse(url)) return false;
  return USUAL_MOCKS.includes(new URL(url).origin);
}

const USUAL_MOCKS = [SERVICE_PORT, PROVIDER_PORT].flatMap((port) => [
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
]);

/** The commands that take the service in use, or none, where they are given no URL. */
const TAKES_SERVICE: ReadonlySet<NextCommand> = new Set([
  'discover',
  'doctor',
  'register',
  'skill',
]);

/**
 * The step with the service of the failed command: without it, the step would take another service or
 * none. Where no service is known, URL stands for it; `doctor` works without one.
 * @param isProvider the failure was a provider's.
 */
function stepAbout({ about }: Pick<Context, 'about'>, step: Step, isProvider = false): Step {
  const { command, args } = step;
  const isBare = args[0] === undefined || args[0].startsWith('-');
  if (!TAKES_SERVICE.has(command) || !isBare) return step;
  const { service } = about;
  if (command === 'doctor') {
    return service === undefined || isProvider
      ? step
      : { command, args: [printableUrl(service), ...args] };
  }
  if (service !== undefined) return { command, args: [printableUrl(service), ...args] };
  const isPlain = command === 'register' && args.length === 0;
  return { command: isPlain ? 'connect' : command, args: ['URL', ...args] };
}
