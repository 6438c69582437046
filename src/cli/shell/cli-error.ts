import type { Outcome } from './exit-codes.ts';
import type { Next } from './next.ts';

export interface CliErrorOptions {
  /** Stable and machine-readable, `snake_case`: what `--json` reports. */
  readonly code: string;
  /** What happened and what state things are in; one or two sentences. */
  readonly message: string;
  /** What a person can do about it, as a sentence. */
  readonly hint?: string | undefined;
  /** A command that goes on from here. */
  readonly next?: Next | undefined;
  /** Whether the same command can succeed later by itself. Left out: as the outcome says. */
  readonly retryable?: boolean | undefined;
  /** More members for `--json`, for example how to resume. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Why a command ends without having done its work. `outcome` decides the exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly outcome: Exclude<Outcome, 'done'>;
  readonly code: string;
  readonly hint: string | undefined;
  readonly next: Next | undefined;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(outcome: Exclude<Outcome, 'done'>, options: CliErrorOptions) {
    super(options.message, options.cause === undefined ? {} : { cause: options.cause });
    this.outcome = outcome;
    this.code = options.code;
    this.hint = options.hint;
    this.next = options.next;
    this.retryable = options.retryable ?? (outcome === 'network' || outcome === 'pending');
    this.details = options.details ?? {};
  }

  /** The same error with a step. */
  with(next: Next): CliError {
    const { outcome, code, message, hint, retryable, details, cause } = this;
    return new CliError(outcome, { code, message, hint, next, retryable, details, cause });
  }
}

/** A wrong or missing argument. `next` may show the right line. */
export function usageError(message: string, options: Partial<CliErrorOptions> = {}): CliError {
  return new CliError('usage', { code: 'usage', message, ...options });
}

/** An answer is needed and nobody can be asked: the flag that gives it is named. */
export function missingAnswer(what: string, flag: string, next: Next | undefined): CliError {
  return new CliError('usage', {
    code: 'answer_missing',
    message: `${what} is missing, and there is no user to ask.`,
    hint: `Give it with ${flag}.`,
    next,
  });
}
