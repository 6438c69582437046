import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  type MockTarget,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../src/conformance/index.ts';
import { BrowserUser } from '../../src/conformance/user/browser-user.ts';
import { systemClock, systemRandom, systemSleep } from '../../src/runtime/index.ts';
import { createSystemFetch } from '../../src/runtime/system-fetch.ts';
import { startExpressDefaults } from '../conformance/services/express-defaults.ts';
import { describeWithChromium } from '../support/chromium.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };

describeWithChromium('the user of the suite in a real browser', (executable) => {
  const user = new BrowserUser({ executable, searchPath: '', flags: ['--no-sandbox'] });
  let mock: MockTarget;

  beforeAll(async () => {
    mock = await startMockTarget({ ...ports, fetch: createSystemFetch() });
  });

  afterAll(async () => {
    await user.close();
    await mock.close();
  });

  const judge = (target: string, only: string, control?: MockTarget['control']) =>
    judgeService({
      ...ports,
      target,
      control,
      catalog: new Catalog(readRequirements()),
      timeout: 5_000,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => only.startsWith(`${id}.`)),
      selection: { only: [only] },
      makeUser: () => user,
    });

  it('completes a claim', async () => {
    const results = await judge(mock.target, 'anonymous.claimed', mock.control);
    expect(results[0]?.checks).toMatchObject([{ id: 'anonymous.claimed', status: 'pass' }]);
  });

  it('denies one', async () => {
    const results = await judge(mock.target, 'denial.denied', mock.control);
    expect(results[0]?.checks).toMatchObject([{ id: 'denial.denied', status: 'pass' }]);
  });

  it('finds the way through a sign-in of two steps', async () => {
    const other = await startExpressDefaults();
    try {
      const results = await judge(other.url, 'anonymous.claimed');
      expect(results[0]?.checks).toMatchObject([{ id: 'anonymous.claimed', status: 'pass' }]);
    } finally {
      await other.close();
    }
  });
});

describe('a user without a browser', () => {
  it('says so, and what else there is', async () => {
    const user = new BrowserUser({ searchPath: '/no/such/folder' });
    const task = {
      verificationUri: 'http://127.0.0.1:1/',
      userCode: '1',
      email: 'a@example.com',
      decision: 'approve',
    } as const;
    await expect(user.claim(task)).rejects.toThrow('No Chromium is on the PATH');
  });
});
