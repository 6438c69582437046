import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { BadTarget, checkIds, PROVIDER_SCENARIOS } from '../../../src/conformance/index.ts';
import { PROVIDER_FAULT_NAMES } from '../../../src/mock-provider/index.ts';
import type { Fetch } from '../../../src/runtime/index.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { type BrokenSurroundings, judgeMockProvider } from '../support/judge-mock-provider.ts';
import { serveLeniently } from '../support/serve-leniently.ts';
import { serveMortally } from '../support/serve-mortally.ts';
import { providerCases } from './cases.ts';
import type { FaultCase } from './fault-case.ts';

describe('a fault of the mock provider', () => {
  it('unavailable is no provider at all', async () => {
    await expect(judgeMockProvider(['unavailable'])).rejects.toBeInstanceOf(BadTarget);
  });

  it('is caught, each of them', () => {
    const told = new Set([...providerCases().map(({ fault }) => fault), 'unavailable']);
    expect(PROVIDER_FAULT_NAMES.filter((name) => !told.has(name))).toEqual([]);
  });
});

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
afterAll(() => dispatcher.destroy());

/** Believes any certificate. */
const credulousFetch: Fetch = async (url, init) =>
  (await undiciFetch(url, { ...init, dispatcher, redirect: 'manual' })) as unknown as Response;

/** What is not the mock's own to do wrong: its connections. */
const SURROUNDINGS: readonly (Omit<FaultCase, 'fault'> & {
  readonly what: string;
  readonly broken: BrokenSurroundings;
})[] = [
  {
    what: 'verifies no certificate',
    broken: { fetch: credulousFetch },
    scenarios: ['event-address'],
    fails: ['event-address.tls'],
  },
  {
    what: 'reads everything, for as long as it takes',
    broken: { server: serveLeniently },
    scenarios: ['provider-connections'],
    fails: [
      'provider-connections.header-flood',
      'provider-connections.head',
      'provider-connections.body',
    ],
  },
  {
    what: 'dies of JSON where a form belongs',
    broken: { server: serveMortally(/"grant_type"/) },
    scenarios: ['token-requests', 'provider-stays-up'],
    fails: ['provider-stays-up.answers'],
  },
];

describe('a provider', () => {
  it.each(SURROUNDINGS)('that $what is caught by its checks', async (row) => {
    const failing = failingChecks(await judgeMockProvider([], row.scenarios, row.broken));
    expect(failing.toSorted()).toEqual(row.fails.toSorted());
  });
});

describe('a check of the provider', () => {
  it('can be failed by a fault, each of them', () => {
    const caught = new Set([
      ...providerCases().flatMap(({ fails }) => fails),
      ...SURROUNDINGS.flatMap(({ fails }) => fails),
    ]);
    expect(PROVIDER_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('passes, each of them, when the mock has no fault', async () => {
    const results = await judgeMockProvider();
    expect(withStatus(results, ['fail', 'warn', 'untestable', 'skip'])).toEqual([]);
    expect(results).toHaveLength(PROVIDER_SCENARIOS.length);
  });
});
