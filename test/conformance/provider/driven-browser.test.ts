import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import {
  Catalog,
  judgeProvider,
  PROVIDER_SCENARIOS,
  readRequirements,
  startMockProviderTarget,
} from '../../../src/conformance/index.ts';
import { providerUserOf } from '../../../src/conformance/provider/sign-in.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { TestUser } from '../../support/test-user.ts';

async function freePort(): Promise<number> {
  const spare = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => spare.once('listening', resolve));
  const { port } = spare.address() as AddressInfo;
  await new Promise((resolve) => spare.close(resolve));
  return port;
}

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
