import type { Recognition } from '../discovery/index.ts';
import type { AgentMove, CodeAt, Surface } from '../protocol/index.ts';
import { isLastingFailure, NetworkError } from '../runtime/index.ts';
import type { Hop } from './model.ts';
import { type NextStep, nextStep, type Step } from './next-step.ts';
import type { CallAnswer } from './outcomes.ts';

/** What became impossible. The CLI turns it into an exit code. */
export type ErrorKind =
  | 'usage'
  | 'not_registered'
  | 'refused'
  | 'expired'
  | 'network'
  | 'pending'
  | 'failed';

/**
 * Every code that the agent itself gives, and its kind. Codes of the wire keep their own names. What each means and
 * what to do: `agent-auth help errors`.
 */
export const AGENT_CODES = {
  bad_address: 'usage',
  bad_email: 'usage',
  bad_token: 'usage',
  bad_member: 'usage',
  bad_code: 'usage',
  bad_call: 'usage',
  header_not_allowed: 'usage',
  not_an_id_jag: 'usage',
  assertion_for_another_service: 'usage',
  service_unknown: 'usage',
  provider_unknown: 'usage',
  claim_not_started: 'usage',
  code_for_page: 'usage',
  answer_missing: 'usage',
  email_fixed: 'usage',
  registration_unknown: 'usage',
  registration_ambiguous: 'usage',

  not_registered: 'not_registered',
  registration_over: 'not_registered',
  registered_not_understood: 'failed',
  token_refused: 'not_registered',
  login_needed: 'not_registered',
  consent_needed: 'not_registered',

  type_not_supported: 'refused',
  not_offered: 'refused',
  scope_not_offered: 'refused',
  foreign_origin: 'refused',
  call_elsewhere: 'refused',
  already_claimed: 'refused',
  no_claim: 'refused',

  assertion_expired: 'expired',
  window_over: 'expired',
  attempt_expired: 'expired',

  unreachable: 'network',
  broken_off: 'network',
  server_error: 'network',

  claim_pending: 'pending',
  code_needed: 'pending',

  bad_answer: 'failed',
  answer_too_large: 'failed',
  redirected: 'failed',
  metadata_not_found: 'failed',
  metadata_invalid: 'failed',
  issuer_mismatch: 'failed',
  resource_mismatch: 'failed',
  no_agent_auth: 'failed',
  no_registration: 'failed',
  client_registration: 'failed',
  dialect_missing: 'usage',
  not_a_provider: 'failed',
  no_skill: 'failed',
  unknown_token_type: 'failed',
  unknown_problem: 'refused',
  aborted: 'failed',

  credentials_not_writable: 'failed',
  credentials_not_readable: 'failed',
  credentials_open_to_others: 'failed',
  credentials_not_a_file: 'failed',
  credentials_broken: 'failed',
  credentials_version: 'usage',
  credentials_locked: 'failed',
} as const satisfies Record<string, ErrorKind>;

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
  /** Of HTTP. */
  readonly status: number;
  /** Milliseconds from `Retry-After`, seconds or date. */
  readonly retryAfter: number | undefined;
  /** Seconds; with `login_required` and `insufficient_user_authentication`. */
  readonly maxAge: number | undefined;
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

  /** The same error with something more. */
  with(
    more: Pick<AgentErrorOptions, 'hops' | 'recognition' | 'answer' | 'hint' | 'next'>,
  ): AgentError {
    const { code, kind, hint, next, problem, hops, recognition, answer, cause } = this;
    return new AgentError(this.message, {
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
  const kinds: Readonly<Record<string, ErrorKind>> = AGENT_CODES;
  return kinds[code] ?? 'refused';
}
