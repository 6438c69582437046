import { expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../src/conformance/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../src/runtime/index.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };

it('judges the main flow by a mint command, and skips by name what needs a provider of its own', async () => {
  const mock = await startMockTarget({ ...ports, fetch: createSystemFetch() });
  try {
    const results = await judgeService({
      ...ports,
      target: mock.target,
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      // The provider that this service trusts is not the one that the suite runs here.
      mintCommand: async (email) =>
        mock.providers.provider.mintIdJag({
          audience: mock.target,
          now: systemClock.now(),
          subject: email,
          email,
        }),
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => /^(id-jag$|id-jag-claims$|event-)/.test(id)),
    });
    const [main, ...others] = results;
    expect(main?.checks.map(({ status }) => status)).toEqual(main?.checks.map(() => 'pass'));
    const rest = others.flatMap(({ checks }) => checks);
    // Only the URL of the events endpoint can be judged without a provider.
    const unjudged = rest.filter(({ id }) => id !== 'event-transport.secure');
    expect(new Set(unjudged.map(({ status }) => status))).toEqual(new Set(['skip']));
    expect(unjudged.every(({ reason }) => reason?.includes('--provider-issuer'))).toBe(true);
  } finally {
    await mock.close();
  }
});
