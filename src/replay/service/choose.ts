import { isJsonObject } from '../../protocol/index.ts';
import type { RecordedExchange } from '../recording/index.ts';
import type { Match, Run } from './run.ts';

export interface Choice {
  readonly match: Match;
  /** It was answered so before: what was recorded of this step is used up, or the next of it is not due. */
  readonly isRepeated: boolean;
}

/** What stands in the way of the answer that comes next. */
export interface Blocked {
  readonly match: Match;
  readonly waitsFor: RecordedExchange;
}

interface Order {
  readonly run: Run;
  readonly exchanges: readonly RecordedExchange[];
}

/**
 * Which of the recorded exchanges that fit a request answers it: the first that was not used, in the recorded
 * order, as far as what changed the state before it has happened here too; then the last one again.
 */
export function choose(matches: readonly Match[], order: Order): Choice | Blocked | undefined {
  const nearest = Math.min(...matches.map(({ distance }) => distance));
  const fitting = matches.filter(({ distance }) => distance === nearest);
  const { run } = order;
  const open = fitting.filter(({ exchange }) => !run.isUsed(exchange));
  const due = open.filter(({ exchange }) => turnBefore(exchange, order) === undefined);
  // What was recorded before the state changed is not said after it.
  const next = due.find(({ exchange }) => !isPast(exchange, order));
  const latest = fitting
    .filter(({ exchange }) => run.isUsed(exchange))
    .sort(
      (one, other) =>
        Number(isSlowDown(one.exchange)) - Number(isSlowDown(other.exchange)) ||
        run.lastUse(other.exchange) - run.lastUse(one.exchange),
    )[0];
  if (next !== undefined) return { match: next, isRepeated: false };
  if (latest !== undefined) return { match: latest, isRepeated: true };
  const [late] = due.slice(-1);
  if (late !== undefined) return { match: late, isRepeated: false };
  const [blocked] = open;
  const waitsFor = blocked && turnBefore(blocked.exchange, order);
  return blocked && waitsFor && { match: blocked, waitsFor };
}

/** It is about one request that came too soon, and no state (RFC 8628 §3.5). */
function isSlowDown({ response }: RecordedExchange): boolean {
  return isJsonObject(response.body) && response.body['error'] === 'slow_down';
}

/** What has to happen first: a change of the same registration's state that was recorded before. */
function turnBefore(
  { group, index }: RecordedExchange,
  { exchanges, run }: Order,
): RecordedExchange | undefined {
  if (group === undefined) return undefined;
  return exchanges.find(
    (each) => each.index < index && each.group === group && each.isTurn && !run.isUsed(each),
  );
}

function isPast({ group, index, step }: RecordedExchange, { exchanges, run }: Order): boolean {
  if (group === undefined || step === 'register') return false;
  return exchanges.some(
    (each) => each.group === group && each.isTurn && each.index > index && run.isUsed(each),
  );
}
