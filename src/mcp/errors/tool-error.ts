import type { JsonMembers, Quote } from '../answer/answer.ts';
import type { Next } from '../next/next.ts';

interface ToolErrorOptions {
  /** Stable and machine-readable, `snake_case`. */
  readonly code: string;
  /** What the model can do about it, as a sentence. */
  readonly hint?: string | undefined;
  readonly next?: Next | undefined;
  /** The argument that was wrong: without a `next`, the same tool goes on, with another one. */
  readonly argument?: string | undefined;
  /** Whether the same call can succeed later without a change. Default false. */
  readonly retryable?: boolean | undefined;
  /** Further members of the error. */
  readonly details?: JsonMembers | undefined;
  readonly quotes?: readonly Quote[] | undefined;
  readonly cause?: unknown;
}

/** Why a tool has not done its work, and what goes on from there. Its message is ours alone. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly next: Next | undefined;
  readonly argument: string | undefined;
  readonly retryable: boolean;
  readonly details: JsonMembers;
  readonly quotes: readonly Quote[];

  constructor(message: string, options: ToolErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.hint = options.hint;
    this.next = options.next;
    this.argument = options.argument;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
    this.quotes = options.quotes ?? [];
  }

  /** The same error, with another way to go on. */
  with(changes: Pick<ToolErrorOptions, 'hint' | 'next' | 'details'>): ToolError {
    const { code, hint, next, argument, retryable, details, quotes, cause } = this;
    const same = { code, hint, next, argument, retryable, details, quotes, cause };
    return new ToolError(this.message, { ...same, ...changes });
  }
}
