import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/conformance/index.ts';
import { createMockService, type Served, serve } from '../../../src/mock-service/index.ts';
import { silentLog, systemClock, systemRandom } from '../../../src/runtime/system.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { until } from '../../support/until.ts';
import { Home, isBuilt, NOT_BUILT, type Program } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

const FORMATS = ['json', 'junit', 'markdown', 'html'];

describe.runIf(isBuilt)('a signal in the middle of a run', () => {
  let home: Home;
  let service: Served;
  /** What the run has asked for, in order. */
  let asked: string[];
  beforeEach(async () => {
    home = new Home();
    asked = [];
    service = await serve({
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      build: async (baseUrl) => {
        const ports = { clock: systemClock, random: systemRandom, log: silentLog };
        const mock = await createMockService({ ...ports, baseUrl, fetch: createSystemFetch() });
        return (request) => {
          asked.push(new URL(request.url).pathname);
          return mock.fetch(request);
        };
      },
    });
  });
  afterEach(async () => {
    await home.remove();
    await service.close();
  });

  const file = (format: string) => join(home.folder, `report.${format}`);

  /** A run that waits for something to expire: no clock can be moved. */
  async function startWaiting(): Promise<Program> {
    const run = home.startWords([
      ...['conformance', 'service', service.origin, '--no-control', '--patience', '20m'],
      ...['--only', 'challenge,resource-metadata,attempt-expiry'],
      ...FORMATS.flatMap((format) => ['--report', `${format}=${file(format)}`]),
    ]);
    // It waits for the end of its claim, so the other two run: of them the last asks for this alone.
    await until(() => {
      const claim = asked.indexOf('/claim');
      return claim >= 0 && asked.lastIndexOf('/.well-known/oauth-protected-resource') > claim;
    });
    expect(run.child.exitCode).toBeNull();
    return run;
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'writes every report and ends with 130 within its time: %s',
    async (signal) => {
      const run = await startWaiting();
      run.child.kill(signal);
      // The wait itself would last longer than this test may.
      expect(await run.ended).toBe(130);
      expect(FORMATS.filter((format) => !existsSync(file(format)))).toEqual([]);
      const { verdict, scenarios } = JSON.parse(readFileSync(file('json'), 'utf8')) as Report;
      expect(verdict.interrupted).toBe(true);
      const checks = scenarios.flatMap((scenario) => scenario.checks);
      expect(checks.filter(({ id }) => id.startsWith('challenge.'))[0]?.status).toBe('pass');
      expect(checks.map(({ reason }) => reason)).toContain('The run was interrupted.');
      expect(run.stderr).toContain('Interrupted');
    },
  );

  it('ends with two signals as with one', async () => {
    const run = await startWaiting();
    run.child.kill('SIGINT');
    run.child.kill('SIGTERM');
    // By the second one itself, unless the first had ended it before.
    expect([130, 143, null]).toContain(await run.ended);
  });
});
