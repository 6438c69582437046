import {
  AGENT_SCENARIOS,
  Catalog,
  judgeAgent,
  readRequirements,
  type ScenarioResult,
  SystemHarness,
} from '../../../src/conformance/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { SEED } from '../support/seed.ts';

const catalog = new Catalog(readRequirements());

interface CommandRun {
  /** Milliseconds that one run may last. */
  readonly limit?: number;
  readonly parallel?: number;
}

/** Judges a command as `conformance agent` does, by some scenarios or by all. */
export function judgeCommand(
  command: readonly [string, ...string[]],
  scenarios?: readonly string[],
  { limit = 30_000, parallel = 16 }: CommandRun = {},
): Promise<readonly ScenarioResult[]> {
  return judgeAgent({
    openHarness: () =>
      SystemHarness.open({
        clock: systemClock,
        sleep: systemSleep,
        random: systemRandom,
        command,
        environment: process.env,
        kill: (pid, signal) => {
          try {
            process.kill(pid, signal);
          } catch {
            // It has ended by itself.
          }
        },
      }),
    random: systemRandom,
    catalog,
    seed: SEED,
    limit,
    parallel,
    ...(scenarios && {
      scenarios: AGENT_SCENARIOS.filter(({ id }) => scenarios.includes(id)),
    }),
  });
}
