import { CannotTest } from '../../engine/judge.ts';
import { ending, ofKind, type Played } from '../agent-world.ts';
import type { Seen } from '../seen.ts';

/** What a request may come early without being early: clocks tick, and answers travel. Milliseconds. */
export const TOLERANCE = 150;

/** A registration that was answered well. */
export function registrations(traffic: readonly Seen[]): readonly Seen[] {
  return ofKind(traffic, 'identity').filter(({ method }) => method === 'POST');
}

/** A call that the service let through. */
export function goodCall(traffic: readonly Seen[]): Seen | undefined {
  return ofKind(traffic, 'resource').find(
    ({ answer, bearer }) => answer?.status === 200 && bearer !== undefined,
  );
}

export function goodExchange(traffic: readonly Seen[]): Seen | undefined {
  return ofKind(traffic, 'exchange').find(({ answer }) => answer?.status === 200);
}

/** Milliseconds between each request and the one before it. */
export function gaps(seen: readonly Seen[]): readonly { ms: number; after: Seen; next: Seen }[] {
  return seen.flatMap((next, index) => {
    const after = seen[index - 1];
    return after === undefined ? [] : [{ ms: next.at - after.at, after, next }];
  });
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** An agent that asks nothing refuses nothing, either. @throws CannotTest */
export function needTraffic({ traffic, ...run }: Played): void {
  if (traffic.length === 0) {
    throw new CannotTest(`The agent sent no request (${ending({ ...run })}).`);
  }
}

/** @throws CannotTest when the agent never polled. */
export function needPolls(run: Played, least = 1): readonly Seen[] {
  const polls = ofKind(run.traffic, 'poll');
  if (polls.length >= least) return polls;
  throw new CannotTest(
    `The agent polled ${polls.length} times; ${least} were needed (${ending(run)}).`,
  );
}

/** What a peer was asked, for sentences of a report. */
export function listed(seen: readonly Seen[]): string {
  if (seen.length === 0) return 'no request';
  const lines = seen.slice(0, 4).map(({ method, url }) => `${method} ${url.pathname}`);
  return seen.length > 4 ? `${lines.join(', ')} and ${seen.length - 4} more` : lines.join(', ');
}

/** Whether some text of a request holds a value, as it is or encoded. */
export function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(encodeURIComponent(value));
}

/** The text without what people put between the digits of a code. */
export function squeezed(text: string): string {
  return text.replace(/[\s\-–—·.]/g, '').toUpperCase();
}
