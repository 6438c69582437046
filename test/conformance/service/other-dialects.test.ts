import { describe, expect, it } from 'vitest';
import { buildReport } from '../../../src/conformance/engine/report.ts';
import {
  Catalog,
  judgeService,
  readRequirements,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import { renderTerminal } from '../../../src/conformance/reporters/terminal/terminal.ts';
import { SERVICE_CORE } from '../../../src/conformance/service/core.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';

const catalog = new Catalog(readRequirements());

describe('a service that speaks another dialect', () => {
  it.each(['nested', 'first'] as const)(
    '%s is named, and judged on its claims, discovery and transport',
    async (dialect) => {
      const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };
      const mock = await startMockTarget({
        ...ports,
        fetch: createSystemFetch(),
        mock: { dialect },
      });
      try {
        let told: string | undefined;
        const scenarios = await judgeService({
          ...ports,
          onDialect: (found) => {
            told = found;
          },
          seed: 7,
          target: mock.target,
          resource: '/api/resource',
          providers: mock.providers,
          provider: { trusted: true },
          catalog,
          timeout: 5_000,
          patience: 0,
          connectionLimit: 1_500,
        });
        const report = buildReport({
          version: '0',
          role: 'service',
          target: mock.target,
          dialect: told,
          startedAt: 0,
          duration: 0,
          seed: 7,
          scenarios,
          core: SERVICE_CORE,
          baseline: undefined,
          selectedOnly: false,
          interrupted: false,
        });
        const red = scenarios.flatMap(({ checks }) =>
          checks.filter(({ status }) => status === 'fail'),
        );
        expect(red.map(({ id }) => id)).toEqual([]);
        expect(renderTerminal(report, { color: false, width: 80 })).toContain(
          `service ${mock.target} · dialect ${dialect}\n`,
        );
        expect(report.verdict).toMatchObject({
          outcome: 'inconclusive',
          unjudged: expect.arrayContaining([
            { story: 'an exchange', why: expect.stringContaining(`speaks ${dialect}`) },
          ]),
        });
        const judged = scenarios.filter(({ checks }) =>
          checks.some(({ status }) => status === 'pass'),
        );
        expect(judged.map(({ id }) => id)).toEqual(
          expect.arrayContaining(['smuggling', 'anonymous']),
        );
        expect(judged.map(({ id }) => id)).not.toContain('exchange');
      } finally {
        await mock.close();
      }
    },
  );
});
