import {
  AGENT_SCENARIOS,
  Catalog,
  type JudgeAgentOptions,
  judgeAgent,
  readRequirements,
  type ScenarioResult,
} from '../../../src/conformance/index.ts';
import { systemRandom } from '../../../src/runtime/index.ts';
import { SEED } from '../support/seed.ts';
import { type InProcessAgent, MemoryHarness } from './memory-harness.ts';

const catalog = new Catalog(readRequirements());
const LIMIT = 90_000;

/** Judges an agent of this process, by the named scenarios or by all. */
export function judgeInProcess(
  agent: InProcessAgent,
  scenarios?: readonly string[],
  options: Partial<Pick<JudgeAgentOptions, 'onProgress' | 'parallel'>> = {},
): Promise<readonly ScenarioResult[]> {
  return judgeAgent({
    openHarness: async () => new MemoryHarness(agent),
    random: systemRandom,
    catalog,
    seed: SEED,
    limit: LIMIT,
    parallel: 1,
    repeat: false,
    ...options,
    ...(scenarios && {
      scenarios: AGENT_SCENARIOS.filter(({ id }) => scenarios.includes(id)),
    }),
  });
}
