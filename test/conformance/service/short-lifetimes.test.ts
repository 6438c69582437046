import { expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { systemClock, systemRandom } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { withStatus } from '../support/failing-checks.ts';

/** Codes end before the window of their claim does. */
const SHORT = { accessToken: 20_000, userCode: 10_000, claimWindow: 30_000, assertion: 40_000 };
const WAITING = ['token-expiry', 'attempt-expiry', 'window-expiry', 'claimed-for-good'];

it('judges a service whose tokens live 20 s to the end, within 90 s of patience', async () => {
  let slept = 0;
  const ports = { clock: { now: () => systemClock.now() + slept }, random: systemRandom };
  const sleep = async (ms: number) => {
    slept += ms;
  };
  const mock = await startMockTarget({
    ...ports,
    fetch: createSystemFetch(),
    mock: { lifetimes: SHORT },
  });
  try {
    const results = await judgeService({
      ...ports,
      sleep,
      target: mock.target,
      resource: '/api/resource',
      providers: mock.providers,
      provider: { trusted: true },
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      // An assertion may be taken for a minute after its end (RFC 7523 §3).
      patience: 90_000,
      // Each sleep moves the clock of them all.
      together: false,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => WAITING.includes(id)),
    });
    const unjudged = withStatus(results, ['fail', 'warn', 'untestable', 'skip']);
    expect(unjudged.map(({ id, reason, findings }) => [id, reason, findings])).toEqual([]);
    expect(results.map(({ id }) => id).sort()).toEqual([...WAITING].sort());
  } finally {
    await mock.close();
  }
});
