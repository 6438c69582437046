import type { Recognition } from '../discovery/index.ts';
import type { AgentMove, CodeAt, Surface } from '../protocol/index.ts';
import { isLastingFailure, NetworkError } from '../runtime/index.ts';
import { AGENT_CODES, type ErrorKind } from './agent-codes.ts';
import type { Hop } from './model.ts';
import { type NextStep, nextStep, type Step } from './next-step.ts';
import type { CallAnswer } from './outcomes.ts';

/** The surfaces of the wire that an agent talks to. */
export type AgentSurface = Exclude<Surface, 'complete' | 'events'>;

/** A code of {@link AGENT_CODES}, or a code of `WIRE_CODES` at a surface that the agent talks to. */
export type AgentErrorCode = keyof typeof AGENT_CODES | WireErrorCode;

/** Every code of the wire: the lists of all places. */
export type WireErrorCode = { [S in AgentSurface]: CodeAt<S> }[AgentSurface];

/** The error of a peer's answer, in one shape whatever the envelope was (wire contract §3). */
export interface Problem {
  /** Where it was answered. */
  readonly surface: AgentSurface;
  /** What is acted on: under the name of the list, `rate_limited` for a 429. `undefined` without a code. */
  readonly code: string | undefined;
  /** The peer's own word for it, cleaned; `undefined` when the answer had none. */
  readonly sent: string | undefined;
  /** What to do, by the code; for an unknown one `stop`, or `retry_later` by status. */
  readonly move: AgentMove;
  /** The peer's own words, cleaned of control characters. Untrusted text: show, never obey. */
  readonly description: string | undefined;
  /** The status code of HTTP. */
  readonly status: number;
  /** Milliseconds from `Retry-After`, seconds or date. */
  readonly retryAfter: number | undefined;
  /** Seconds; with `login_required` and `insufficient_user_authentication`. */
  readonly maxAge: number | undefined;
  /** With `insufficient_user_authentication`: how the user has to sign in. */
  readonly acrValues?: string | undefined;
  /** With `invalid_user_code`: how many more codes are taken. */
  readonly attemptsRemaining?: number | undefined;
  /** With `insufficient_scope`: what the call needs. */
  readonly scope: readonly string[] | undefined;
}

/** What an {@link AgentError} tells beside its code. */
export interface AgentErrorOptions {
  /** What happened. */
  readonly code: AgentErrorCode;
  /** Default: by {@link AGENT_CODES}, else `refused`. */
  readonly kind?: ErrorKind | undefined;
  /** What a user can do, as a sentence. */
  readonly hint?: string | undefined;
  /** What would help. */
  readonly next?: Step | undefined;
  /** The peer's answer. */
  readonly problem?: Problem | undefined;
  /** How far a discovery came. */
  readonly hops?: readonly Hop[] | undefined;
  /** What the documents amount to that it read. */
  readonly recognition?: Recognition | undefined;
  /** The answer to a call that was refused. */
  readonly answer?: CallAnswer | undefined;
  /** What led to it. */
  readonly cause?: unknown;
}

/**
 * The one error of this library. `code` and `kind` are closed and stable; the message is a sentence
 * for users and never carries a secret.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** What happened, for programs: a stable name. */
  readonly code: AgentErrorCode;
  /** What became impossible. */
  readonly kind: ErrorKind;
  /** What a user can do, as a sentence. */
  readonly hint: string | undefined;
  /**
   * What would help, as a command of the program with its arguments; `undefined`: no step does. docs/library.md
   * names the method that does what a command does.
   */
  readonly next: NextStep | undefined;
  /** Set when a peer answered with an error. */
  readonly problem: Problem | undefined;
  /** Set when discovery failed: how far it came. */
  readonly hops: readonly Hop[] | undefined;
  /** Set when discovery failed after it had read something: what that amounts to. */
  readonly recognition: Recognition | undefined;
  /** Set when a call was refused: that answer, its body unread. Read it or cancel it. */
  readonly answer: CallAnswer | undefined;

  constructor(message: string, options: AgentErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.kind = options.kind ?? kindOf(options.code);
    this.hint = options.hint;
    this.next = options.next && nextStep(options.next);
    this.problem = options.problem;
    this.hops = options.hops;
    this.recognition = options.recognition;
    this.answer = options.answer;
  }

  /** Whether the same request can succeed later without any change. */
  get retryable(): boolean {
    const status = this.problem?.status;
    return (
      (this.kind === 'network' && !isLasting(this.cause)) ||
      this.kind === 'pending' ||
      this.code === 'credentials_locked' ||
      status === 429 ||
      status === 503
    );
  }

  /** The same error with something more, or in other words. */
  with({
    message = this.message,
    ...more
  }: Partial<AgentErrorOptions> & { readonly message?: string }): AgentError {
    const { code, kind, hint, next, problem, hops, recognition, answer, cause } = this;
    return new AgentError(message, {
      ...{ code, kind, hint, next, problem, hops, recognition, answer, cause },
      ...more,
    });
  }
}

/** What time alone does not fix, down the chain of causes: a certificate, a server without TLS. */
function isLasting(cause: unknown): boolean {
  if (cause instanceof NetworkError) return isLastingFailure(cause.code);
  return cause instanceof AgentError && isLasting(cause.cause);
}

function kindOf(code: AgentErrorCode): ErrorKind {
  return Object.hasOwn(AGENT_CODES, code)
    ? AGENT_CODES[code as keyof typeof AGENT_CODES].kind
    : 'refused';
}
