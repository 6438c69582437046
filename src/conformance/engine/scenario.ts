import { type Judge, NotApplicable } from './judge.ts';
import type { ScenarioResult } from './model.ts';

/** A flow, an attack, an expiry: it judges the checks that it names. */
export interface Scenario<World> {
  /** Kebab-case; the first part of the ids of its checks. */
  readonly id: string;
  readonly title: string;
  /** `name` → what holds when it passes, one sentence. Reported as `<scenario>.<name>`. */
  readonly checks: Readonly<Record<string, string>>;
  /** Sends only requests that create and change nothing. `--safe` runs these. */
  readonly safe: boolean;
  /** The id of a check → names: one that is not right rests on it where that ended no better; the first such counts. */
  readonly resting?: Readonly<Record<string, readonly string[]>>;
  /** Ids of checks: where one of these is wrong, what could not be judged here rests on it. A failure stands. */
  readonly blockedBy?: readonly string[];
  /**
   * Whether it is not run again to confirm what failed: it waits, uses up tries or races, or what it saw once stands,
   * such as a fetch whose answer the peer keeps, a random sample, or a text that an agent obeyed.
   */
  readonly costly?: boolean;
  /** A fragile peer may die of what it sends: it begins when those that are not have ended. */
  readonly dangerous?: boolean;
  /** Whether it is run also where the target is gone: it tells of that. */
  readonly evenWhenGone?: boolean;
  /** Whether it changes what others rely on: it begins before them, and they do not run while it waits. */
  readonly alone?: boolean;
  /** Whether it waits for long where no clock can be moved: it begins before those that do not. */
  readonly waits?: boolean;
  /** Does the work: sends what it needs, and tells `judge` what came. */
  run(judge: Judge, world: World): Promise<void>;
}

export interface ScenarioDefinition<World, Name extends string>
  extends Omit<Scenario<World>, 'checks' | 'safe' | 'resting' | 'run'> {
  readonly checks: Readonly<Record<Name, string>>;
  readonly safe?: boolean;
  readonly resting?: Readonly<Record<string, readonly NoInfer<Name>[]>>;
  run(judge: Judge<Name>, world: World): Promise<void>;
}

/** Returns the function that defines scenarios of one world; in `run`, only the named checks can be judged. */
export function scenariosOf<World>() {
  return <Name extends string>(definition: ScenarioDefinition<World, Name>): Scenario<World> => ({
    ...definition,
    safe: definition.safe ?? false,
    run: (judge, world) => definition.run(judge as unknown as Judge<Name>, world),
  });
}

/** A scenario in place of one that the target does not offer: it says why. */
export function leftOut<World>(scenario: Scenario<World>, reason: string): Scenario<World> {
  const run = async () => {
    throw new NotApplicable(reason);
  };
  return { ...scenario, run };
}

/** Nobody asks for what is left out: no flow of it is missing. */
export function deselected(result: ScenarioResult): ScenarioResult {
  return { ...result, checks: result.checks.map((check) => ({ ...check, deselected: true })) };
}

/** The ids of the checks of a scenario. */
export function checkIds(scenario: Pick<Scenario<never>, 'id' | 'checks'>): readonly string[] {
  return Object.keys(scenario.checks).map((name) => `${scenario.id}.${name}`);
}
