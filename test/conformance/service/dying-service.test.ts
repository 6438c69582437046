import { describe, expect, it } from 'vitest';
import {
  Catalog,
  judgeService,
  readRequirements,
  SERVICE_SCENARIOS,
  startMockTarget,
} from '../../../src/conformance/index.ts';
import type { DialectId } from '../../../src/protocol/constants.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { withStatus } from '../support/failing-checks.ts';
import { serveDying } from '../support/serve-dying.ts';

const ports = { clock: systemClock, random: systemRandom, sleep: systemSleep };

/** A mock whose server is gone with the first request that it is told to die of, judged by one scenario. */
async function judgeDying(
  scenarios: string | readonly string[],
  deadly: (body: string) => boolean,
  dialect: DialectId = 'flat',
) {
  const serve = serveDying(deadly);
  const fetch = createSystemFetch();
  const mock = await startMockTarget({ ...ports, fetch, serve, mock: { dialect } });
  try {
    return await judgeService({
      ...ports,
      target: mock.target,
      resource: '/api/resource',
      control: mock.control,
      providers: mock.providers,
      provider: { trusted: true },
      catalog: new Catalog(readRequirements()),
      timeout: 30_000,
      patience: 2_000,
      connectionLimit: 1_500,
      scenarios: SERVICE_SCENARIOS.filter(({ id }) => scenarios.includes(id)),
    });
  } finally {
    await mock.close();
  }
}

const isUnsigned = (body: string) => {
  const head = /\b(eyJ[\w-]+)\.[\w-]*\./.exec(body)?.[1] ?? '';
  return /"alg":"none"/i.test(Buffer.from(head, 'base64url').toString('utf8'));
};

const claimsIn = (body: string) => {
  const claims = /\beyJ[\w-]+\.([\w-]+)\./.exec(body)?.[1] ?? '';
  return Buffer.from(claims, 'base64url').toString('utf8');
};

const hasNumberForEmail = (body: string) => /"email":1\b/.test(claimsIn(body));

describe('a service that dies of "email": 1 in a signed ID-JAG', () => {
  it('has been judged of all else, and its death names what was odd', async () => {
    const scenarios = ['anonymous', 'id-jag', 'id-jag-claims', 'id-jag-audience', 'events'];
    const results = await judgeDying([...scenarios, 'stays-up'], hasNumberForEmail);
    const passed = withStatus(results, ['pass']).map(({ id }) => id);
    for (const scenario of ['anonymous', 'id-jag', 'id-jag-audience']) {
      expect(passed.some((id) => id.startsWith(`${scenario}.`))).toBe(true);
    }
    expect(passed).toContain('id-jag-claims.required');
    expect(passed).toContain('id-jag-claims.types');
    const open = withStatus(results, ['untestable', 'fail', 'skip']);
    expect(open.map(({ id }) => id)).toEqual(['id-jag-claims.storable-text', 'stays-up.answers']);
    for (const { reason, findings } of open) {
      expect(reason ?? findings[0]?.seen).toMatch(
        /^The target stopped answering after POST http:\S+ \(an ID-JAG: email 1\), and was not back/,
      );
    }
  });
});

describe('the death of a service', () => {
  it.each([
    ['malformed-json', (body: string) => body === 'null', 'null'],
    ['oversized', (body: string) => body.length > 1_000_000, 'a body of ten megabytes'],
    [
      'event-subjects',
      (body: string) => claimsIn(body).includes('"sub":1'),
      'an event: {"sub_id":{"format":"iss_sub"',
    ],
  ] as const)('names what was odd in the request: %s', async (scenario, deadly, odd) => {
    const results = await judgeDying([scenario, 'stays-up'], deadly);
    const told = withStatus(results, ['fail']).find(({ id }) => id === 'stays-up.answers');
    expect(told?.findings[0]?.seen).toContain(`(${odd}`);
  });
});

describe('a service of another dialect that dies', () => {
  it('has not stayed up, whatever else of it is left out', async () => {
    const registers = (body: string) => body.includes('anonymous');
    const results = await judgeDying(['anonymous', 'stays-up'], registers, 'first');
    expect(withStatus(results, ['fail']).map(({ id }) => id)).toEqual(['stays-up.answers']);
  });
});

describe('a service that dies of an attack', () => {
  it.each(['id-jag-headers', 'event-headers'])(
    'has refused nothing by that: %s',
    async (scenario) => {
      const results = await judgeDying([scenario], isUnsigned);
      const passed = withStatus(results, ['pass']).map(({ id }) => id);
      expect(passed.filter((id) => !id.endsWith('.alg-none'))).toEqual([]);
      expect(withStatus(results, ['untestable']).length).toBeGreaterThan(10);
    },
  );

  it.each(['id-jag-headers.size', 'event-headers.size', 'oversized.bodies'])(
    'has not refused what was too large for it: %s',
    async (check) => {
      const [scenario = ''] = check.split('.');
      const results = await judgeDying([scenario], (body) => body.length > 100_000);
      expect(withStatus(results, ['pass']).map(({ id }) => id)).not.toContain(check);
      expect(withStatus(results, ['untestable']).map(({ id }) => id)).toContain(check);
    },
  );
});
