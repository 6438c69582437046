import type { Since, TurnedCheck } from '../engine/model.ts';

/** `Since 2026-01-02T03:04:05Z: 2 checks fail that passed, and 1 passes that failed, of 143 judged then and now.` */
export function sinceText({ startedAt, compared, failsNow, passesNow }: Since): string {
  const fails = `${counted(failsNow)} that passed`;
  const passes = `${passesNow.length} ${passesNow.length === 1 ? 'passes' : 'pass'} that failed`;
  const worse = failsNow.length === 0 ? 'nothing fails that passed' : fails;
  const better = passesNow.length === 0 ? '' : `, and ${passes}`;
  return `Since ${startedAt}: ${worse}${better}, of ${compared} judged then and now.`;
}

function counted({ length }: readonly TurnedCheck[]): string {
  return length === 1 ? '1 check fails' : `${length} checks fail`;
}

/** `pass → fail`. */
export function turnText({ was, now }: TurnedCheck): string {
  return `${was} → ${now}`;
}
