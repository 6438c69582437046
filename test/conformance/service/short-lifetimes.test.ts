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
const SHORT = {
  accessToken: 20_000,
  userCode: 20_000,
  claimWindow: 50_000,
  assertion: 30_000,
  claimedAssertion: 30_000,
  redelivery: 15_000,
};
const WAITING = [
  ...['attempt-expiry', 'claimed-for-good', 'claimed-token', 'collection', 'polling'],
  ...['token-expiry', 'whole-code', 'window-expiry', 'wrong-account'],
];

const ENDED = 'A claim attempt ends before the suite could try all of it.';

it.each([
  ['codes and tokens live 20 s, to the end', SHORT, WAITING, []],
  [
    'codes end after three polls, not by what an ended code is answered',
    { interval: 20_000, userCode: 60_000 },
    ['wrong-account'],
    [['wrong-account.not-denied', ENDED, []]],
  ],
])('judges a service whose %s, within 40 s of patience', async (_, lifetimes, chosen, left) => {
  let slept = 0;
  // Time passes by waits alone, however busy the machine is.
  const began = systemClock.now();
  const ports = { clock: { now: () => began + slept }, random: systemRandom };
  const sleep = async (ms: number) => {
    slept += ms;
  };
  const mock = await startMockTarget({
    ...ports,
    fetch: createSystemFetch(),
    mock: { lifetimes },
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
      patience: 40_000,
      // Each sleep moves the clock of them all.
      together: false,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => chosen.includes(id)),
    });
    const unjudged = withStatus(results, ['fail', 'warn', 'untestable', 'skip']);
    expect(unjudged.map(({ id, reason, findings }) => [id, reason, findings])).toEqual(left);
    expect(results.map(({ id }) => id).sort()).toEqual(chosen);
  } finally {
    await mock.close();
  }
});
