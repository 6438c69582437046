import type { ScenarioResult } from '../../engine/model.ts';
import { deselected, leftOut, type Scenario } from '../../engine/scenario.ts';
import { EMA_SCENARIOS } from '../scenarios/index.ts';
import { staysUp } from '../scenarios/stays-up.ts';
import type { ServiceFacts } from '../service-facts.ts';
import type { ServiceWorld } from '../service-world.ts';
import { judgedCrossApp } from './cross-app.ts';

const JUDGED: ReadonlySet<string> = new Set([...EMA_SCENARIOS, staysUp].map(({ id }) => id));

const REASON = 'The server registers no agents (agent_auth): cross-app access alone is judged.';

/** Whether cross-app access is all there is to judge: the server registers no agents, so that it has no dialect. */
export function isCrossAppAlone(facts: ServiceFacts): boolean {
  return judgedCrossApp(facts)?.isAlone === true;
}

/** All of them where the server registers agents; else those of cross-app access, and the others say why not. */
export function scenariosOfferedBy(
  facts: ServiceFacts,
  scenarios: readonly Scenario<ServiceWorld>[],
): readonly Scenario<ServiceWorld>[] {
  if (!isCrossAppAlone(facts)) return scenarios;
  return scenarios.map((each) => (JUDGED.has(each.id) ? each : leftOut(each, REASON)));
}

export function resultOfferedBy(facts: ServiceFacts, result: ScenarioResult): ScenarioResult {
  return !isCrossAppAlone(facts) || JUDGED.has(result.id) ? result : deselected(result);
}
