import {
  Catalog,
  type JudgeProviderOptions,
  judgeProvider,
  readRequirements,
  type ScenarioResult,
} from '../../../src/conformance/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import type { RunningProvider } from '../providers/strict.ts';
import { SEED } from './seed.ts';

type Start = (options: { readonly now: () => number }) => Promise<RunningProvider>;

const catalog = new Catalog(readRequirements());

/** How long is waited for an event, on the machine's own clock. Milliseconds. */
const DELIVERY_WINDOW = 701;

/**
 * Starts a provider, and judges it by every scenario. It has no control API: the suite waits, and its sleep
 * moves the one clock that both look at, but for the wait for an event.
 */
export async function judgeRunningProvider(
  start: Start,
  optionsFor: (provider: RunningProvider) => Partial<JudgeProviderOptions> = () => ({}),
): Promise<readonly ScenarioResult[]> {
  let slept = 0;
  const clock = { now: () => systemClock.now() + slept };
  const provider = await start({ now: clock.now });
  try {
    return await judgeProvider({
      clock,
      random: systemRandom,
      sleep: async (ms, signal) => {
        if (ms <= DELIVERY_WINDOW) return systemSleep(ms, signal);
        slept += ms;
      },
      seed: SEED,
      target: provider.url,
      catalog,
      timeout: 30_000,
      patience: Number.POSITIVE_INFINITY,
      // Each sleep moves the clock of them all.
      together: false,
      deliveryWindow: DELIVERY_WINDOW,
      connectionLimit: DELIVERY_WINDOW,
      // How long a connection may be held open is the machine's time.
      selection: { skip: ['provider-connections'] },
      ...optionsFor(provider),
    });
  } finally {
    await provider.close();
  }
}
