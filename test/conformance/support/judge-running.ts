import {
  Catalog,
  type JudgeServiceOptions,
  judgeService,
  readRequirements,
  type ScenarioResult,
} from '../../../src/conformance/index.ts';
import { startTestProviders } from '../../../src/conformance/service/test-provider.ts';
import { systemClock, systemRandom } from '../../../src/runtime/index.ts';
import { SEED } from './seed.ts';

interface Trust {
  readonly issuer: string;
  readonly jwksUri: string;
}

export type Start = (options: {
  readonly trust: readonly Trust[];
  readonly now: () => number;
}) => Promise<{ readonly url: string; close(): Promise<void> }>;

const catalog = new Catalog(readRequirements());

/**
 * Starts a service that trusts the suite's providers, and judges it by every scenario. It has no
 * control API: the suite waits, and its sleep moves the one clock that both look at. `more` is what its
 * developer would give by options.
 */
export async function judgeRunning(
  start: Start,
  patience = Number.POSITIVE_INFINITY,
  more: Partial<JudgeServiceOptions> = {},
): Promise<readonly ScenarioResult[]> {
  let slept = 0;
  const clock = { now: () => systemClock.now() + slept };
  const sleep = async (ms: number) => {
    slept += ms;
  };
  const ports = { clock, random: systemRandom, sleep };
  const providers = await startTestProviders({ ...ports, port: 0 });
  const { provider, other } = providers;
  try {
    const service = await start({
      trust: [provider, other].map(({ issuer, jwksUri }) => ({ issuer, jwksUri })),
      now: clock.now,
    });
    try {
      return await judgeService({
        ...ports,
        seed: SEED,
        target: service.url,
        providers,
        provider: { trusted: true },
        catalog,
        timeout: 30_000,
        patience,
        // Each sleep moves the clock of them all.
        together: false,
        // How long a connection may be held open is the machine's time, not the service's.
        selection: { skip: ['trickle'] },
        ...more,
      });
    } finally {
      await service.close();
    }
  } finally {
    await providers.close();
  }
}
