import type { AGENT_CODES } from '../../agent/agent-codes.ts';
import type { AgentErrorCode } from '../../agent/agent-error.ts';
import type { OUTCOME_OF_KIND, Outcome } from './exit-codes.ts';
import type { Next } from './next.ts';
import type { PROGRAM_CODES } from './program-codes.ts';

type ProgramCodes = typeof PROGRAM_CODES;
type AgentCodes = typeof AGENT_CODES;

/** What an error of a command is called: by the program itself, the agent, or the wire. `help errors` lists all. */
export type CliErrorCode = keyof ProgramCodes | AgentErrorCode;

type Failure = Exclude<Outcome, 'done'>;

/** How a command ends by a code: of the program or of the agent as its list says. */
type FailureOf<Code extends CliErrorCode> = Code extends keyof ProgramCodes
  ?
      | ProgramCodes[Code]['ends']
      | (ProgramCodes[Code] extends { judging: infer Other } ? Other : never)
  : Code extends keyof AgentCodes
    ? (typeof OUTCOME_OF_KIND)[AgentCodes[Code]['kind']]
    : Failure;

/** The codes of a wrong or missing argument. */
export type UsageCode = {
  [Code in CliErrorCode]: 'usage' extends FailureOf<Code> ? Code : never;
}[CliErrorCode];

export interface CliErrorOptions<Code extends CliErrorCode = CliErrorCode> {
  /** Stable and machine-readable: what `--json` reports. */
  readonly code: Code;
  /** What happened and what the state is now; one or two sentences. */
  readonly message: string;
  /** What the user can do about it, as a sentence. */
  readonly hint?: string | undefined;
  /** The command to run next. */
  readonly next?: Next | undefined;
  /** Whether the same command can succeed later without a change. Default: by the outcome. */
  readonly retryable?: boolean | undefined;
  /** More members for `--json`, for example how to resume. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Why a command ends without having done its work. `outcome` decides the exit code. */
export class CliError<Code extends CliErrorCode = CliErrorCode> extends Error {
  override readonly name = 'CliError';
  readonly outcome: Failure;
  readonly code: CliErrorCode;
  readonly hint: string | undefined;
  readonly next: Next | undefined;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(outcome: FailureOf<Code> & Failure, options: CliErrorOptions<Code>) {
    super(options.message, options.cause === undefined ? {} : { cause: options.cause });
    this.outcome = outcome;
    this.code = options.code;
    this.hint = options.hint;
    this.next = options.next;
    this.retryable = options.retryable ?? (outcome === 'network' || outcome === 'pending');
    this.details = options.details ?? {};
  }

  /** The same error with other words for what to do. */
  with(changes: Pick<CliErrorOptions, 'hint' | 'next' | 'details'>): CliError {
    const { cause, message, outcome } = this;
    return new CliError(outcome, { ...this, cause, message, ...changes });
  }
}

/** A wrong or missing argument. `next` may show the right line. */
export function usageError(
  message: string,
  options: Partial<CliErrorOptions<UsageCode>> = {},
): CliError {
  return new CliError('usage', { code: 'usage', message, ...options });
}

/** A required answer without a terminal to ask on: the option that gives it is named. */
export function missingAnswer(what: string, flag: string, next: Next | undefined): CliError {
  return new CliError('usage', {
    code: 'answer_missing',
    message: `${what} is missing, and there is no user to ask.`,
    hint: `Give it with ${flag}.`,
    next,
  });
}
