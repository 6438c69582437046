import { TrafficJudge } from '../../conformance/passive/traffic-judge.ts';
import type { Explained, Finding } from '../../exchanges/index.ts';

/** What is wrong with each exchange, in the order in which they happened. */
export type Judge = (explained: Explained) => readonly Finding[];

/** By the rules of the suite, from nothing seen. */
export function trafficJudge(): Judge {
  const judge = new TrafficJudge();
  return (explained) => judge.judge(explained);
}

export const LEVELS = ['must', 'should', 'may'] as const;
export type Level = (typeof LEVELS)[number];

/** Whether a finding is as serious as `--fail-on` asks for, or more. */
export function isAtLeast({ level }: Finding, failOn: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
}
