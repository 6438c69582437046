import { TrafficJudge } from '../../../src/conformance/index.ts';
import { type Exchange, Explainer, type Finding } from '../../../src/traffic/index.ts';

/** What is found in exchanges, as they are judged while they happen. */
export function judged(exchanges: readonly Exchange[]): readonly Finding[] {
  const explainer = new Explainer();
  const judge = new TrafficJudge();
  return exchanges.flatMap((exchange) => judge.judge(explainer.explain(exchange)));
}

/** Each finding with the exchange that shows it: what a failing test is to say. */
export function told(exchanges: readonly Exchange[]): readonly string[] {
  return judged(exchanges).map(({ by, message, requirement, seq }) => {
    const at = exchanges.find((each) => each.seq === seq);
    return `${requirement} ${by}: ${message} ${at?.method} ${at?.url} ${at?.status}`;
  });
}
