import { type JudgeOptions, judge, type ServiceToJudge } from '../testing.ts';
import type { Match, MatcherCall } from './result.ts';

/** Whether a service conforms. An answer that was not found out fails, under `not` as well. */
export async function conforms(
  { isNot }: MatcherCall,
  received: unknown,
  options?: JudgeOptions,
): Promise<Match> {
  const { conforms, report, text } = await judge(received as ServiceToJudge, options);
  const isFound = conforms || report.verdict.outcome === 'does_not_conform';
  return { pass: isFound ? conforms : isNot, message: () => text };
}
