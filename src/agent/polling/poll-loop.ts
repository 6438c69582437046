import { AgentError } from '../agent-error.ts';
import { pause, type Sender } from '../http/send-patiently.ts';
import type { UnansweredPolls, WaitEvent } from '../outcomes.ts';
import { type FinalPoll, firstPoll, nextPoll, type PollOutcome } from './next-poll.ts';

interface PollLoop<T> {
  /** Milliseconds. */
  readonly interval: number;
  /** Milliseconds to the first poll, where an earlier wait left off. Default: the interval. */
  readonly firstWait?: number | undefined;
  /** Milliseconds to the deadline as the server's clock shows it now. */
  readonly remaining: () => number;
  readonly poll: () => Promise<PollOutcome<T>>;
  /** Called with the longer interval, to be kept. */
  readonly onSlowDown?: (interval: number) => Promise<void>;
  /** Milliseconds; then the end is `timeout`. */
  readonly timeout?: number | undefined;
  readonly onEvent?: ((event: WaitEvent) => void) | undefined;
}

export type PollEnd<T> =
  | FinalPoll<T>
  | { readonly kind: 'deadline' }
  | { readonly kind: 'aborted' }
  | {
      readonly kind: 'timeout';
      /** Milliseconds that were left to the next poll. */
      readonly nextPollIn: number;
      /** Set where the last poll was not answered. */
      readonly unanswered?: UnansweredPolls;
    };

/** Polls until something final happens. The first poll comes one interval after the call. */
export async function runPollLoop<T>(tools: Sender, loop: PollLoop<T>): Promise<PollEnd<T>> {
  const { clock } = tools.context;
  const { onEvent = () => {} } = loop;
  const started = clock.now();
  const budget = loop.remaining();
  // The server's clock may shorten the wait; one that stands still or runs back does not prolong it.
  const remaining = () => Math.min(loop.remaining(), budget - (clock.now() - started));
  const patience = () => (loop.timeout ?? Number.POSITIVE_INFINITY) - (clock.now() - started);

  let unanswered: UnansweredPolls | undefined;
  let step = firstPoll(loop.interval, remaining(), loop.firstWait);
  try {
    for (;;) {
      const wait = Math.min(step.wait, Math.max(0, patience()));
      onEvent({ type: 'waiting', nextPollIn: wait, remaining: Math.max(0, remaining()) });
      await pause(tools, wait);
      if (wait < step.wait) {
        return {
          kind: 'timeout',
          nextPollIn: step.wait - wait,
          ...(unanswered !== undefined && { unanswered }),
        };
      }
      if (step.do === 'stop_after') return { kind: 'deadline' };

      const outcome = await loop.poll();
      if (outcome.kind === 'done') return outcome;
      const next = nextPoll(step.state, outcome, remaining());
      if (next.do === 'stop') return { kind: next.reason };
      unanswered =
        outcome.kind === 'trouble'
          ? { polls: next.state.troubles, status: outcome.status }
          : undefined;
      if (outcome.kind === 'slow_down') {
        await loop.onSlowDown?.(next.state.interval);
        onEvent({ type: 'slow_down', interval: next.state.interval });
      } else if (outcome.kind === 'trouble') {
        onEvent({ type: 'trouble', status: outcome.status, nextPollIn: next.wait });
      }
      step = next;
    }
  } catch (error) {
    if (tools.signal?.aborted || (error instanceof AgentError && error.code === 'aborted')) {
      return { kind: 'aborted' };
    }
    throw error;
  }
}
