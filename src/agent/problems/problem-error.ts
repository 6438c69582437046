import { entryOf } from '../../discovery/index.ts';
import { type AgentMove, describeDuration, displayText, WIRE_CODES } from '../../protocol/index.ts';
import type { ErrorKind } from '../agent-codes.ts';
import { AgentError, type AgentSurface, type Problem, type WireErrorCode } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import type { Step } from '../next-step.ts';
import { readProblem } from './read-problem.ts';

/** What a move of the list of wire codes means for the caller. */
const KIND_OF_MOVE = {
  fix_request: 'refused',
  stop: 'refused',
  wait: 'pending',
  slow_down: 'pending',
  reopen: 'expired',
  register: 'not_registered',
  poll_claim: 'not_registered',
  sign_in: 'pending',
  consent: 'pending',
  confirm: 'pending',
  ask_code: 'refused',
  mint: 'refused',
  exchange: 'not_registered',
  claim: 'refused',
  retry_later: 'network',
} as const satisfies Record<AgentMove, ErrorKind>;

/** Codes whose kind is not that of their move. */
const KIND_OF_CODE: Readonly<Record<string, ErrorKind>> = {
  claim_expired: 'expired',
  expired: 'expired',
  expired_token: 'expired',
  already_claimed: 'refused',
  claimed_or_in_flight: 'refused',
  rate_limited: 'refused',
};

/** What a code of the wire means for the caller. */
export function kindOfWireCode(code: string, next: AgentMove): ErrorKind {
  return KIND_OF_CODE[code] ?? KIND_OF_MOVE[next];
}

/** For users; the moves that are left out have nothing to add to the description. */
const HINT_OF_MOVE: Partial<Readonly<Record<AgentMove, string>>> = {
  retry_later: 'Try again later.',
  reopen: 'Open another attempt.',
  register: 'Register again.',
  poll_claim: 'Register again.',
  mint: 'Mint a new ID-JAG and register with that.',
  sign_in: 'Let the user sign in at the provider again.',
  consent: 'Let the user agree at the provider first.',
  confirm: 'Let the user sign in on the page and confirm there; then give the code that it shows.',
  ask_code: 'Ask the user for the code again, as the page or the mail shows it.',
};

const CLIENT_HINT =
  'Where it demands a client_id of its own, register with it: --member client_id=ID.';

const SURFACES = {
  identity: 'The registration',
  claim: 'The claim',
  read_back: 'The code',
  refresh: 'The refresh',
  token: 'The token request',
  revocation: 'The revocation',
  resource: 'The call',
  provider: 'The request to the provider',
} as const satisfies Record<AgentSurface, string>;

/** A problem as the error that ends the command. `next` is what the caller would do about it. */
export function problemError(problem: Problem, next?: Step): AgentError {
  const { surface, code, status, move, retryAfter } = problem;
  if (code === 'rate_limited') return rateLimited(problem, SURFACES[surface], next);
  const wait =
    retryAfter === undefined ? '' : ` The server asks to wait ${describeDuration(retryAfter)}.`;
  const known = code === undefined ? undefined : entryOf(surface, code);
  // What our mock means by it is one case of many. At a provider this agent has one client_id, which nobody chooses.
  const isClient = code === 'invalid_client' && surface !== 'provider';
  const hint = isClient ? CLIENT_HINT : HINT_OF_MOVE[known?.next ?? move];
  if (known !== undefined) {
    const meaning = isClient ? 'The service did not accept this client.' : known.description;
    return new AgentError(
      `${SURFACES[surface]} was refused: ${meaning}${wordsBeside(problem, meaning)}${wait}`,
      {
        code: code as WireErrorCode,
        kind: kindOfWireCode(code ?? '', known.next),
        hint,
        next,
        problem,
      },
    );
  }
  const named = code === undefined ? 'without naming a reason' : `for the reason ${code}`;
  const refusal = `${SURFACES[surface]} was refused with ${status}, ${named}.`;
  return new AgentError(refusal + quoted(problem) + wait, {
    code: status >= 500 ? 'server_error' : 'unknown_problem',
    hint,
    next,
    problem,
  });
}

/**
 * Whatever the endpoint and its list of codes: a 429 is one thing, and the seconds are what matters.
 * @param what was asked for, as the start of a sentence.
 */
function rateLimited(problem: Problem, what: string, next?: Step): AgentError {
  const { retryAfter } = problem;
  const wait =
    retryAfter === undefined
      ? ' It does not say for how long.'
      : ` The server asks to wait ${describeDuration(retryAfter)}.`;
  const words = wordsBeside(problem, WIRE_CODES.identity.rate_limited.description);
  return new AgentError(`${what} was refused: too many requests.${words}${wait}`, {
    code: 'rate_limited',
    kind: KIND_OF_CODE['rate_limited'],
    hint: 'Wait, then try again.',
    next,
    problem,
  });
}

/** A document that was not served now: too many requests (RFC 6585 §4). `undefined` for any other status. */
export function tooManyRequests(
  what: string,
  { headers, sentAt, status, where }: Omit<Answer, 'body' | 'text'>,
  now: number,
): AgentError | undefined {
  if (status !== 429) return undefined;
  const body = { ok: false, problem: 'empty' } as const;
  const problem = readProblem({ headers, sentAt, status, where, body }, 'resource', now);
  return problem && rateLimited(problem, `${what} (${where})`);
}

/** The peer's own words, where they differ from ours: the mocks use the texts of the list of codes. */
export function wordsBeside(problem: Problem, ours: string): string {
  return problem.description === ours
    ? quoted({ ...problem, description: undefined })
    : quoted(problem);
}

/** Theirs, its own name for the code first: made safe for a terminal, and marked as theirs. */
function quoted({ code, sent, description }: Problem): string {
  const words = [sent === code ? undefined : sent, description].filter(
    (text) => text !== undefined,
  );
  const text = displayText([...new Set(words)].join(': '), 200);
  return text === '' ? '' : ` It says: "${text}".`;
}
