import { retryAfter } from '../../protocol/index.ts';
import { NetworkError, type NetworkErrorCode } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentContext } from '../context.ts';
import { type Answer, LostAnswer } from './answer.ts';
import type { Peer, WireRequest } from './peer.ts';

const TRIES = 3;
const FIRST_WAIT = 500;
/** A longer `Retry-After` is for the caller to decide on. */
const LONGEST_WAIT = 60_000;

/** What sends, and what ends that. */
export interface Sender {
  readonly context: AgentContext;
  readonly signal: AbortSignal | undefined;
}

interface Patience {
  /** Whether the same body may be sent again when no answer came: not what is valid for one use only. */
  readonly repeatAfterLoss: boolean;
}

/**
 * Sends the same request up to three times: after a 5xx and after a lost answer, with growing waits
 * and jitter (AMD-09). A 4xx or 429 is never repeated.
 * @throws AgentError as {@link Peer.send}.
 */
export async function sendPatiently(
  tools: Sender,
  peer: Peer,
  request: WireRequest,
  { repeatAfterLoss }: Patience,
): Promise<Answer> {
  let lost: LostAnswer | undefined;
  for (let tries = 1; ; tries += 1) {
    let wait = backOff(tools, tries);
    try {
      const answer = await peer.send(request, tools.signal);
      if (answer.status < 500 || tries === TRIES) return answer;
      wait = retryAfter(answer.headers, peer.now()) ?? wait;
      if (wait > LONGEST_WAIT) return answer;
    } catch (error) {
      const canMend = isLoss(error) && !isTimeout(error) && error.retryable;
      const again = canMend && repeatAfterLoss && tries < TRIES;
      if (error instanceof LostAnswer) lost = error;
      // An answer that began to arrive is reported even when a later try does not get that far.
      if (!again) throw isLoss(error) ? (lost ?? error) : error;
    }
    await pause(tools, wait);
  }
}

/** Whether an exchange ended without an answer that could be read. */
export function isLoss(error: unknown): error is AgentError {
  return (
    error instanceof AgentError && (error.code === 'unreachable' || error.code === 'broken_off')
  );
}

/** Whether a request whose answer is lost may have been carried out: without a connection nothing was sent. */
export function mayHaveArrived({ cause }: AgentError): boolean {
  return !(cause instanceof NetworkError && UNSENT.some((code) => code === cause.code));
}

const UNSENT: readonly NetworkErrorCode[] = [
  'refused',
  'not_found',
  'tls',
  'not_tls',
  'proxy',
  'bad_port',
];

/** A time limit that passed once is not waited for again. */
function isTimeout({ cause }: AgentError): boolean {
  return cause instanceof NetworkError && cause.code === 'timeout';
}

/** The wait before try `tries + 1`: doubled each time, plus up to as much again at random. */
export function backOff({ context }: Sender, tries: number): number {
  const base = FIRST_WAIT * 2 ** (tries - 1);
  return base + Math.floor(((context.random.bytes(1)[0] ?? 0) / 256) * base);
}

/** Sleeps. @throws AgentError `aborted`. */
export async function pause({ context, signal }: Sender, ms: number): Promise<void> {
  try {
    await context.sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new AgentError('The wait was interrupted.', { code: 'aborted', cause: error });
  }
}
