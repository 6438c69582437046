import type { AGENT_CODES, AgentError } from '../../agent/agent-error.ts';
import { credentialFolder, credentialPath } from '../../agent/credentials/location.ts';
import type { NextCommand, Step } from '../../agent/next-step.ts';
import { printableUrl } from '../../protocol/mask-tokens.ts';
import { isLoopbackHost } from '../../protocol/urls.ts';
import { NetworkError } from '../../runtime/ports.ts';
import type { Context } from './context.ts';
import { PROVIDER_PORT, SERVICE_PORT } from './mock-ports.ts';
import { commandLine, type Next } from './next.ts';
import { nextLine, nextStepLine } from './next-line.ts';
import { RuntimeFiles } from './runtime-files.ts';
import { typedAgain } from './typed-again.ts';
import { corrected } from './typed-line.ts';

/** The command to type after an error of the agent; `undefined` where there is none. */
export function nextAfter(error: AgentError, context: Context): Next | undefined {
  const { code, problem, retryable } = error;
  const steps: Readonly<Record<string, Step | null>> = STEP_BY_CODE;
  const step = error.next ?? steps[code] ?? undefined;
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
export function checkWithDoctor(context: Context, isProvider = false): Next {
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

/** Without a URL these take the service in use, or none. */
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

const stepTo = (command: NextCommand, ...args: readonly string[]): Step => ({ command, args });

/**
 * The step after an error of the agent that names none itself. `null`: none, or for a wrong command line
 * the help of its command.
 */
export const STEP_BY_CODE: Readonly<Record<keyof typeof AGENT_CODES, Step | null>> = {
  bad_address: null,
  bad_email: null,
  bad_token: stepTo('doctor'),
  bad_code: null,
  bad_member: null,
  bad_call: null,
  header_not_allowed: null,
  not_an_id_jag: stepTo('provider mint'),
  assertion_for_another_service: stepTo('provider mint'),
  service_unknown: stepTo('status'),
  provider_unknown: stepTo('provider login', 'URL'),
  claim_not_started: stepTo('claim'),
  code_for_page: stepTo('claim wait'),
  email_fixed: { command: 'register', args: ['--email', 'EMAIL'] },
  registration_unknown: { command: 'use', args: ['REGISTRATION'] },
  registration_ambiguous: { command: 'use', args: ['REGISTRATION'] },
  answer_missing: null,

  not_registered: stepTo('register'),
  registration_over: stepTo('register'),
  registered_not_understood: stepTo('status'),
  token_refused: stepTo('register', '--new'),
  login_needed: stepTo('provider login'),
  consent_needed: stepTo('provider consent'),

  type_not_supported: stepTo('discover'),
  // By a service or a provider; the message names the alternative.
  not_offered: null,
  scope_not_offered: stepTo('discover'),
  foreign_origin: stepTo('discover'),
  call_elsewhere: stepTo('status'),
  already_claimed: stepTo('status'),

  no_claim: stepTo('status'),
  assertion_expired: stepTo('provider mint'),
  window_over: stepTo('register'),
  attempt_expired: stepTo('claim'),

  unreachable: stepTo('doctor'),
  broken_off: stepTo('doctor'),
  server_error: stepTo('doctor'),

  claim_pending: stepTo('claim wait'),
  code_needed: stepTo('claim'),

  bad_answer: stepTo('doctor'),
  answer_too_large: stepTo('doctor'),
  redirected: stepTo('doctor'),
  metadata_not_found: stepTo('doctor'),
  metadata_invalid: stepTo('doctor'),
  issuer_mismatch: stepTo('doctor'),
  resource_mismatch: stepTo('doctor'),
  no_agent_auth: stepTo('doctor'),
  no_registration: stepTo('doctor'),
  client_registration: stepTo('doctor'),
  dialect_missing: stepTo('discover'),
  not_a_provider: stepTo('register', '--assertion', '@FILE'),
  no_skill: stepTo('discover'),
  unknown_token_type: stepTo('doctor'),
  unknown_problem: stepTo('status'),
  aborted: null,

  credentials_not_writable: stepTo('doctor'),
  credentials_not_readable: stepTo('doctor'),
  credentials_open_to_others: stepTo('doctor'),
  credentials_not_a_file: stepTo('doctor'),
  credentials_broken: stepTo('doctor'),
  credentials_version: stepTo('doctor'),
  credentials_locked: stepTo('doctor'),
};
