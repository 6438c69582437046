import { expect, it } from 'vitest';
import {
  Catalog,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  startMockProviderTarget,
} from '../../../src/conformance/index.ts';
import type { CrossAppGiven } from '../../../src/conformance/provider/cross-app/given.ts';
import { providerUserOf } from '../../../src/conformance/provider/sign-in.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { freePort } from '../../support/free-port.ts';
import { TestUser } from '../../support/test-user.ts';

it('judges authorization requests that a command opens, whose browser comes to the redirect URI', async () => {
  const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
  const mock = await startMockProviderTarget({ ...ports, fetch });
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const opened: string[] = [];
  try {
    const results = await judgeProvider({
      ...ports,
      target: mock.target,
      catalog: new Catalog(readRequirements()),
      timeout: 10_000,
      crossApp: { ...mock.crossApp, redirectUri },
      scenarios: PROVIDER_SCENARIOS.filter(({ id }) => id === 'idp-authorization'),
      makeUser: () =>
        providerUserOf({
          kind: 'command',
          claim: async ({ email, verificationUri }) => {
            opened.push(verificationUri);
            const user = new TestUser((request) => fetch(request));
            await user.openSignedIn(`${mock.target}/login`, email);
            const location = (await user.request(verificationUri)).headers.get('location');
            if (location !== null) await fetch(location);
            return { status: undefined, text: '', exchange: undefined };
          },
        }),
    });
    const odd = results.flatMap(({ checks }) => checks.filter(({ status }) => status !== 'pass'));
    expect(odd).toEqual([]);
    expect(opened.length).toBeGreaterThan(8);
  } finally {
    await mock.close();
  }
});

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

it('where somebody else listens at the redirect URI, that is said, and what to do', async () => {
  const mock = await startMockProviderTarget({ ...ports, fetch });
  try {
    const results = await judgeProvider({
      ...ports,
      target: mock.target,
      catalog: new Catalog(readRequirements()),
      timeout: 10_000,
      crossApp: { ...mock.crossApp, redirectUri: `${mock.target}/callback` },
      scenarios: PROVIDER_SCENARIOS.filter(({ id }) => id === 'idp-authorization'),
      makeUser: () =>
        providerUserOf({
          kind: 'command',
          claim: async () => ({ status: undefined, text: '', exchange: undefined }),
        }),
    });
    const checks = results.flatMap((each) => each.checks);
    const reason = `Codes are sent to this machine: 127.0.0.1 port ${new URL(mock.target).port} is in use`;
    expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 'skip'));
    for (const check of checks) expect(check.reason).toContain(reason);
  } finally {
    await mock.close();
  }
});
