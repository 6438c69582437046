import type { FindingDetails, Reading } from '../../engine/judge.ts';
import { ending, type ObservedRun, ofKind } from '../agent-world.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { gaps, goodCall, listed, seconds, TOLERANCE } from './traffic.ts';

type Requests = readonly ReceivedRequest[];

/** No such request was sent. */
export function none(requests: Requests, more: FindingDetails = {}): Reading {
  return {
    ok: requests.length === 0,
    seen: listed(requests),
    exchange: requests[0]?.number,
    ...more,
  };
}

/** Some such request was sent. `traffic` is what was sent instead. */
export function some(requests: Requests, traffic: Requests, more: FindingDetails = {}): Reading {
  return {
    ok: requests.length > 0,
    seen: listed(traffic),
    exchange: traffic[0]?.number,
    ...more,
  };
}

/** At most so many requests were sent, and the run ended by itself. */
export function atMost(most: number, requests: Requests, run?: ObservedRun): Reading {
  const count = `${requests.length} instead of at most ${most}`;
  return {
    ok: requests.length <= most && run?.killed !== true,
    seen: run?.killed === true ? `${count}; the run had to be killed` : count,
    exchange: requests[most]?.number,
  };
}

/** No request broke the rule; `seen` says how this one did. */
export function without(request: ReceivedRequest | undefined, seen: string): Reading {
  return { ok: request === undefined, seen, exchange: request?.number };
}

/** The agent called the resource with a token, and was answered 200. */
export function called(run: ObservedRun): Reading {
  const calls = ofKind(run.traffic, 'resource');
  return {
    ok: goodCall(run.traffic) !== undefined,
    seen: `${listed(calls)} (${ending(run)})`,
    exchange: calls.at(-1)?.number,
  };
}

/** Every pause between two of the requests lasted so long (milliseconds). */
export function pauses(requests: Requests, least: number): readonly Reading[] {
  return gaps(requests).map(({ ms, next }) => ({
    ok: ms >= least - TOLERANCE,
    seen: seconds(ms),
    exchange: next.number,
  }));
}

/** No pause between two of the requests was shorter (milliseconds); right for a single request. */
export function noneEarlier(requests: Requests, least: number): Reading {
  const early = gaps(requests).find(({ ms }) => ms < least - TOLERANCE);
  return without(early?.next, early === undefined ? '' : `after ${seconds(early.ms)}`);
}

/** Exactly one such request was sent. */
export function once(requests: Requests): Reading {
  return {
    ok: requests.length === 1,
    seen: `${requests.length} instead of 1`,
    exchange: requests[1]?.number,
  };
}
