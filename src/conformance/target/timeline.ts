import { type Judge, judgePart } from '../engine/judge.ts';
import type { TargetTime } from './target-time.ts';

/** What is judged at its time. */
export interface Part<Name extends string> {
  /** Milliseconds since the epoch, as the target sees it. */
  readonly at: number;
  /** Left, with the reason, where its time cannot be waited for. */
  readonly checks: Name | readonly Name[];
  readonly run: () => Promise<void>;
}

/** Judges each part when its time has come, the earliest first: none is hidden behind a longer wait. */
export async function judgeInTime<Name extends string>(
  judge: Judge<Name>,
  time: TargetTime,
  parts: readonly Part<Name>[],
): Promise<void> {
  for (const { at, checks, run } of [...parts].sort((one, other) => one.at - other.at)) {
    await judgePart(judge, checks, async () => {
      await time.passTo(at);
      await run();
    });
  }
}
