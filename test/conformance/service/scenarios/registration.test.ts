import { describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  startMockTarget,
} from '../../../../src/conformance/index.ts';
import {
  CLAIM_SCENARIOS,
  REGISTRATION_SCENARIOS,
} from '../../../../src/conformance/service/scenarios/index.ts';
import type { IdentityType } from '../../../../src/protocol/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../../src/runtime/system-fetch.ts';
import { serviceFaults } from '../../faults/by-name.ts';
import { startExpressDefaults } from '../../services/express-defaults.ts';
import { withStatus } from '../../support/failing-checks.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
const judging = {
  ...ports,
  catalog: new Catalog(readRequirements()),
  timeout: 30_000,
  scenarios: [...REGISTRATION_SCENARIOS, ...CLAIM_SCENARIOS],
};

async function judgeMockThatOffers(identityTypes: readonly IdentityType[], faults: string[] = []) {
  const fetch = createSystemFetch();
  const mock = await startMockTarget({
    ...ports,
    fetch,
    faults: serviceFaults(faults),
    mock: { identityTypes },
  });
  try {
    const { control, providers, target } = mock;
    return await judgeService({
      ...judging,
      target,
      control,
      providers,
      provider: { trusted: true },
    });
  } finally {
    await mock.close();
  }
}

/** One that has no control API: its clock and the suite's are moved by sleeping. */
async function judgeOther(
  start: (options: { now: () => number }) => Promise<{ url: string; close(): Promise<void> }>,
) {
  let slept = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + slept };
  const service = await start({ now: clock.now });
  try {
    return await judgeService({
      ...judging,
      clock,
      sleep: async (ms) => {
        slept += ms;
      },
      patience: Number.POSITIVE_INFINITY,
      together: false,
      target: service.url,
    });
  } finally {
    await service.close();
  }
}

describe('the scenarios of registrations and claims', () => {
  it.each([['anonymous'], ['service_auth'], ['identity_assertion']] as const)(
    'find nothing wrong with a mock that offers %s alone',
    async (type) => {
      const results = await judgeMockThatOffers([type]);
      expect(withStatus(results, ['fail', 'warn', 'untestable'])).toEqual([]);
    },
  );

  it('find a type that is switched off and registers all the same', async () => {
    const results = await judgeMockThatOffers(
      ['service_auth', 'identity_assertion'],
      ['uncheckedIdentityType'],
    );
    expect(withStatus(results, ['fail', 'warn']).map(({ id }) => id)).toEqual([
      'registration-types.refused',
    ]);
  });

  it('find codes without a limit of tries where only anonymous registrations can be claimed', async () => {
    const results = await judgeMockThatOffers(['anonymous'], ['noTryLimit']);
    expect(withStatus(results, ['fail']).map(({ id }) => id)).toEqual(['wrong-codes.burnt']);
  });

  it('find codes that nobody counts', async () => {
    const results = await judgeOther((options) =>
      startExpressDefaults({ ...options, bug: 'uncounted-codes' }),
    );
    expect(withStatus(results, ['fail']).map(({ id }) => id)).toEqual(['wrong-codes.burnt']);
    // Guesses that nobody counts are not counted in parallel either: one cause.
    const guesses = withStatus(results, ['skip']).find(
      ({ id }) => id === 'claim-races.guesses-counted',
    );
    expect(guesses?.restsOn).toBe('wrong-codes.burnt');
  });

  it('find claims by any account', async () => {
    const results = await judgeOther((options) =>
      startExpressDefaults({ ...options, bug: 'any-account' }),
    );
    expect(withStatus(results, ['fail']).map(({ id }) => id)).toEqual([
      'wrong-account.not-claimed',
    ]);
  });
});
