import {
  Catalog,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  type ScenarioResult,
  startMockProviderTarget,
} from '../../../src/conformance/index.ts';
import type { serve } from '../../../src/mock-service/index.ts';
import { type Fetch, systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { providerFaults } from '../faults/by-name.ts';
import { SEED } from './seed.ts';

const catalog = new Catalog(readRequirements());

/** What is wrong with what the mock stands on. */
export interface BrokenSurroundings {
  readonly fetch?: Fetch;
  readonly server?: typeof serve;
}

/** How long is waited for what is sent at once on this machine, or never. Milliseconds. */
const DELIVERY_WINDOW = 500;

/** Judges a mock provider of its own, with faults, by the named scenarios; all of them by default. */
export async function judgeMockProvider(
  faults: readonly string[] = [],
  scenarios?: readonly string[],
  { fetch = createSystemFetch(), server }: BrokenSurroundings = {},
): Promise<readonly ScenarioResult[]> {
  let late = 0;
  const clock = { now: () => systemClock.now() + late };
  const ports = { clock, random: systemRandom, sleep: systemSleep };
  const mock = await startMockProviderTarget({
    ...ports,
    fetch,
    faults: providerFaults(faults),
    // What is late takes no time of the machine.
    mock: {
      delay: async (ms) => {
        late += ms;
      },
    },
    // A request of a busy machine takes its time: nobody else is cut off early.
    ...((scenarios?.includes('provider-connections') ?? true) && {
      limits: { headers: 300, request: 800, check: 30 },
    }),
    ...(server && { serve: server }),
  });
  try {
    return await judgeProvider({
      ...ports,
      seed: SEED,
      target: mock.target,
      control: mock.control,
      consentsUri: mock.consentsUri,
      crossApp: mock.crossApp,
      catalog,
      repeat: false,
      timeout: 30_000,
      patience: 2_000,
      connectionLimit: 1_500,
      deliveryWindow: faults.length === 0 ? 5_000 : DELIVERY_WINDOW,
      ...(scenarios && {
        scenarios: PROVIDER_SCENARIOS.filter(({ id }) => scenarios.includes(id)),
      }),
    });
  } finally {
    await mock.close();
  }
}
