import { expect, it } from 'vitest';
import {
  Catalog,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  startMockProviderTarget,
} from '../../../src/conformance/index.ts';
import type { CrossAppGiven } from '../../../src/conformance/provider/cross-app/given.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };

/** What of a right provider is not judged, and why, when the suite was told something wrong of its client. */
async function left(mistake: (right: CrossAppGiven) => Partial<CrossAppGiven>) {
  const mock = await startMockProviderTarget({ ...ports, fetch });
  const { crossApp } = mock;
  try {
    const results = await judgeProvider({
      ...ports,
      target: mock.target,
      catalog: new Catalog(readRequirements()),
      timeout: 10_000,
      crossApp: { ...crossApp, ...mistake(crossApp) },
      scenarios: PROVIDER_SCENARIOS.filter(({ id }) => /^idp-(authorization|code)$/.test(id)),
    });
    const checks = results.flatMap((each) => each.checks);
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([]);
    return checks.find(({ status }) => status === 'untestable')?.reason;
  } finally {
    await mock.close();
  }
}

it('a wrong secret is no failure of the provider, and the reason says which options to look at', async () => {
  const reason = await left(({ client }) => ({ client: { ...client, secret: 'another secret' } }));
  expect(reason).toMatch(/401 invalid_client.*: look at --client-id and --client-secret\.$/);
});

it('a redirect URI that is not registered is no failure of the provider, and the reason names the option', async () => {
  const reason = await left(() => ({ redirectUri: 'http://127.0.0.1:4899/other' }));
  expect(reason).toMatch(/\/other has to be registered for .*--redirect-uri\.$/);
});
