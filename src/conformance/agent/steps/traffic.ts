import { CannotTest } from '../../engine/judge.ts';
import { READS_ITS_TASK } from '../agent-task.ts';
import { ending, type ObservedRun, ofKind } from '../agent-world.ts';
import type { ReceivedRequest } from '../received-request.ts';

/** Allowed deviation of a measured pause, for timers and network. Milliseconds. */
export const TOLERANCE = 150;

/** The registrations, whatever their answer. */
export function registrations(traffic: readonly ReceivedRequest[]): readonly ReceivedRequest[] {
  return ofKind(traffic, 'identity').filter(({ method }) => method === 'POST');
}

/** The first call with a token that was answered 200. */
export function goodCall(traffic: readonly ReceivedRequest[]): ReceivedRequest | undefined {
  return ofKind(traffic, 'resource').find(
    ({ answer, bearer }) => answer?.status === 200 && bearer !== undefined,
  );
}

export function goodExchange(traffic: readonly ReceivedRequest[]): ReceivedRequest | undefined {
  return ofKind(traffic, 'exchange').find(({ answer }) => answer?.status === 200);
}

/** The first request that repeats a value of an earlier one. */
export function repeated(
  requests: readonly ReceivedRequest[],
  pick: (request: ReceivedRequest) => string | undefined,
): ReceivedRequest | undefined {
  const values = requests.map(pick);
  return requests.find((_each, index) => values.indexOf(values[index]) < index);
}

/** The pause between two consecutive requests. */
export interface Gap {
  /** Milliseconds. */
  readonly ms: number;
  readonly after: ReceivedRequest;
  readonly next: ReceivedRequest;
}

export function gaps(requests: readonly ReceivedRequest[]): readonly Gap[] {
  return requests.flatMap((next, index) => {
    const after = requests[index - 1];
    return after === undefined ? [] : [{ ms: next.at - after.at, after, next }];
  });
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * What a scenario cannot go on without.
 * @param missing What the agent did not do: a sentence without its full stop.
 * @throws CannotTest with that, the requests of the run, and how it ended.
 */
export function need(isThere: unknown, missing: string, run: ObservedRun): asserts isThere {
  if (!isThere) throw new CannotTest(`${missing}: ${listed(run.traffic)} (${ending(run)}).`);
}

/** The claim attempts that the agent opened. @throws CannotTest when it opened none. */
export function needAttempts(run: ObservedRun): readonly [ReceivedRequest, ...ReceivedRequest[]] {
  const [first, ...others] = ofKind(run.traffic, 'claim');
  need(first, 'The agent opened no claim attempt', run);
  return [first, ...others];
}

/** Needs a request: without one, no refusal is proven. @throws CannotTest */
export function needTraffic({ traffic, ...run }: ObservedRun): void {
  if (traffic.length === 0) {
    throw new CannotTest(`The agent sent no request (${ending({ ...run })}). ${READS_ITS_TASK}`);
  }
}

/** @throws CannotTest when the agent polled less often. */
export function needPolls(run: ObservedRun, least = 1): readonly ReceivedRequest[] {
  const polls = ofKind(run.traffic, 'poll');
  if (polls.length >= least) return polls;
  throw new CannotTest(
    `The agent polled ${polls.length} times; at least ${least} polls are needed (${ending(run)}).`,
  );
}

/** The requests, for a finding: `POST /path, GET /path and 3 more`. */
export function listed(requests: readonly ReceivedRequest[]): string {
  if (requests.length === 0) return 'no request';
  const lines = requests.slice(0, 4).map(({ method, url }) => `${method} ${url.pathname}`);
  return requests.length > 4
    ? `${lines.join(', ')} and ${requests.length - 4} more`
    : lines.join(', ');
}

/** Whether a text holds a value, as it is or percent-encoded. */
export function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(encodeURIComponent(value));
}

/** A code without separators, in upper case. */
export function squeezed(text: string): string {
  return text.replace(/[\s\-–—·.]/g, '').toUpperCase();
}
