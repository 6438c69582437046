import { describe, expect, it } from 'vitest';
import type { MockService } from '../../../src/mock-service/index.ts';
import type { Break } from '../agents/breaks.ts';
import { judged, told } from './judge-exchanges.ts';
import { trafficOf } from './traffic-of-agent.ts';

type Traffic = Parameters<typeof trafficOf>[1];

const completedAt = (poll: number) => async (n: number, service: MockService, id: string) =>
  n === poll ? service.controls.complete(id) : undefined;

const problem = (error: string, status = 400) =>
  Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } });

const CLAIM: Traffic = { runs: [{ task: 'claim' }], polled: completedAt(6) };
const SLOWED: Traffic = {
  ...CLAIM,
  instead: (request, n) =>
    request.url.endsWith('/oauth2/token') && n === 2 ? problem('slow_down') : undefined,
};
const DENIED: Traffic = {
  runs: [{ task: 'claim' }],
  instead: (request, n) =>
    request.url.endsWith('/oauth2/token') && n >= 2 ? problem('access_denied') : undefined,
};
const UNHURRIED: Traffic = { ...CLAIM, faults: ['noSlowDown'] };
const CALL: Traffic = { runs: [{ task: 'call' }] };
const ID_JAG: Traffic = { runs: [{ task: 'call', type: 'identity_assertion' }] };
const TWO_SERVICES: Traffic = { runs: [{ task: 'call' }, { task: 'call', elsewhere: true }] };
const TWO_BY_ID_JAG: Traffic = {
  runs: [
    { task: 'call', type: 'identity_assertion' },
    { task: 'call', type: 'identity_assertion', elsewhere: true },
  ],
};
const SKILL: Traffic = { runs: [{ task: 'call' }, { task: 'skill' }] };

/** What an agent does wrong, where it does it, and which requirement the judge says it breaks. */
const CASES: readonly (readonly [Break, Traffic, string])[] = [
  ['hurries', UNHURRIED, 'DEV-03'],
  ['hurries', CLAIM, 'DEV-04'],
  ['ignoresSlowDown', SLOWED, 'DEV-04'],
  ['pollsAfterDenial', DENIED, 'DEV-05'],
  ['tokenInQuery', CALL, 'BRR-03'],
  ['jsonExchange', CALL, 'AR-EP-7.agent'],
  ['skillWithToken', SKILL, 'W2-31'],
  ['bearsIdJag', ID_JAG, 'IDJ-13'],
  ['fragmentResource', ID_JAG, 'RES-01.agent'],
  ['keepsIdJag', TWO_BY_ID_JAG, 'IDJ-26'],
  ['oneTokenForAll', TWO_SERVICES, 'PRM-14.agent'],
];

describe('the traffic of a broken agent', () => {
  it.each(CASES)('that %s', async (name, traffic, requirement) => {
    const found = judged(await trafficOf([name], traffic));
    expect([...new Set(found.map((each) => each.requirement))]).toEqual([requirement]);
    expect(found.every(({ by }) => by === 'agent')).toBe(true);
  });
});

describe('the traffic of the same agent without its break', () => {
  it.each(Object.entries({ CLAIM, UNHURRIED, SLOWED, DENIED, SKILL, TWO_SERVICES, TWO_BY_ID_JAG }))(
    'is right: %s',
    async (_name, traffic) => {
      const exchanges = await trafficOf([], traffic);
      expect(exchanges.length).toBeGreaterThan(5);
      expect(told(exchanges)).toEqual([]);
    },
  );
});
