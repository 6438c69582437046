import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startMockProviderTarget } from '../../../src/conformance/index.ts';
import { serve } from '../../../src/mock-service/index.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { Home, isBuilt } from './support.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A provider that never tells a service of a revoked consent; `revoked` resolves at the first one. */
async function startSilentMock() {
  let onRevoked = () => {};
  const revoked = new Promise<void>((resolve) => {
    onRevoked = resolve;
  });
  const mock = await startMockProviderTarget({
    clock: systemClock,
    random: systemRandom,
    sleep: systemSleep,
    fetch: createSystemFetch(),
    faults: ['noEvent'],
    serve: (options) =>
      serve({
        ...options,
        build: async (origin) => {
          const handle = await options.build(origin);
          return async (request) => {
            if (request.url.endsWith('/oauth2/consents/revoke')) onRevoked();
            return handle(request);
          };
        },
      }),
  });
  closing.push(() => mock.close());
  return { target: mock.target, revoked };
}

function home(): Home {
  const made = new Home();
  closing.push(() => made.remove());
  return made;
}

describe.runIf(isBuilt)('a conformance run that waits for an event', () => {
  it('ends at the first signal, and writes its report all the same', async () => {
    const { revoked, target } = await startSilentMock();
    const machine = home();
    const file = join(machine.folder, 'report.json');
    const run = machine.start(
      `conformance provider ${target} --no-control --timeout 1h --only event-retry --report json=${file}`,
    );
    await revoked;
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(130);
    expect(existsSync(file)).toBe(true);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report.verdict.interrupted).toBe(true);
    expect(report.scenarios[0].checks[0]).toMatchObject({
      id: 'event-retry.retried',
      status: 'skip',
      reason: 'The run was interrupted.',
    });
  });

  it('ends by itself when none comes, and says so', async () => {
    const { target } = await startSilentMock();
    const { code, stdout } = await home().run(
      `conformance provider ${target} --no-control --timeout 5s --only event-sent,event-retry --report json`,
    );
    expect(code).toBe(1);
    const checks: readonly { readonly id: string }[] = JSON.parse(stdout).scenarios.flatMap(
      (scenario: { readonly checks: readonly unknown[] }) => scenario.checks,
    );
    const named = (id: string) => checks.find((check) => check.id === id);
    expect(named('event-sent.sent')).toMatchObject({
      status: 'fail',
      findings: [{ seen: expect.stringContaining('no request at all within 5 s') }],
    });
    expect(named('event-retry.retried')).toMatchObject({
      status: 'skip',
      restsOn: 'event-sent.sent',
    });
  });
});
