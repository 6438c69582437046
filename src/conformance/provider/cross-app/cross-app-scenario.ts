import { type Judge, judgePart } from '../../engine/judge.ts';
import type { Scenario, ScenarioDefinition } from '../../engine/scenario.ts';
import type { Answer } from '../../http/answer.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
import { refusedBy } from '../steps/rows.ts';
import { type CrossAppWorld, crossAppOf } from './cross-app-world.ts';

/** Defines a scenario that judges a provider with its own clients. */
export function crossAppScenario<Name extends string>(
  definition: ScenarioDefinition<CrossAppWorld, Name>,
): Scenario<ProviderWorld> {
  return providerScenario<Name>({
    ...definition,
    run: (judge, world) => definition.run(judge, crossAppOf(world)),
  });
}

/** The check that a case is refused by, and what is wrong with what it sends. */
export type NegativeCase<Name extends string> = readonly [
  check: Name,
  what: string,
  send: () => Promise<Answer>,
];

/** How a request may fail to show its client. */
export const UNAUTHENTICATED = [
  ['another secret', 'wrong-secret'],
  ['an empty secret', 'empty-secret'],
  ['its id alone', 'id'],
  ['no client', 'nothing'],
] as const;

/**
 * Judges one case after the other, each within the time of a request: one that is not answered leaves the others alone.
 * @param also further rows for what was refused.
 */
export async function judgeRefusals<Name extends string>(
  judge: Judge<Name>,
  { world }: CrossAppWorld,
  cases: readonly NegativeCase<Name>[],
  also: (answer: Answer, what: string) => void = () => {},
): Promise<void> {
  for (const [check, what, send] of cases) {
    await judgePart(judge, check, async () => {
      const answer = await world.recorder.oddly(what, send);
      const { ok, ...more } = refusedBy(world.breaking)(answer);
      judge.expect(check, ok, answer, { ...more, case: what });
      also(answer, what);
    });
  }
}
