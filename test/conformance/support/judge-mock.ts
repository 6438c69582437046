import {
  Catalog,
  judgeService,
  readRequirements,
  type ScenarioResult,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';

const catalog = new Catalog(readRequirements());

/** Judges a mock service of its own, with faults, by the named scenarios; all of them by default. */
export async function judgeMock(
  faults: readonly string[] = [],
  scenarios?: readonly string[],
): Promise<readonly ScenarioResult[]> {
  const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
  const mock = await startMockTarget({ ...ports, fetch: createSystemFetch(), faults });
  try {
    return await judgeService({
      ...ports,
      target: mock.target,
      control: mock.control,
      providers: mock.providers,
      provider: { trusted: true },
      catalog,
      timeout: 5_000,
      ...(scenarios && {
        scenarios: SERVICE_SCENARIOS.filter(({ id }) => scenarios.includes(id)),
      }),
    });
  } finally {
    await mock.close();
  }
}
