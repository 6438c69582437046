import { describe, expect, it } from 'vitest';
import { createMockService } from '../../src/mock-service/index.ts';
import { SeededRandom, silentLog } from '../../src/runtime/index.ts';
import type { Break } from '../conformance/agents/breaks.ts';
import { makeAgent } from '../conformance/agents/good-agent.ts';
import { MemoryHarness } from '../conformance/agents/memory-harness.ts';
import { judged } from '../conformance/passive/judge-exchanges.ts';
import { proxyTo } from './harness.ts';

const SERVICE = 'https://service.test';

/** What is found while an agent with these breaks calls through the proxy, and while nobody claims what it registered. */
async function foundOf(breaks: readonly Break[], fault?: string): Promise<readonly string[]> {
  const memory = new MemoryHarness(makeAgent(...breaks));
  const { clock } = memory;
  const service = await createMockService({
    baseUrl: SERVICE,
    clock,
    log: silentLog,
    fetch: () => Promise.reject(new Error('There is no provider.')),
    random: new SeededRandom(1),
    faults: ['noSlowDown', ...(fault === undefined ? [] : [fault])],
  });
  const { exchanges, proxy } = await proxyTo(
    { [SERVICE]: (request) => service.fetch(request) },
    {
      to: SERVICE,
      clock,
      listen: async (build) => {
        const origin = await memory.host(build);
        return { origin, port: Number(new URL(origin).port), close: async () => {} };
      },
    },
  );
  const url = proxy.local(SERVICE) ?? '';
  for (const task of ['call', 'claim']) {
    const context = {
      schema: 'agent-auth.conformance-agent/1',
      scenario: 'proxy',
      task,
      service: url,
      resource: `${url}/api/resource`,
      type: 'anonymous',
      email: 'alice@example.com',
      person_agrees: false,
      open_browser: false,
      timeout_seconds: 3_600,
    };
    const variables = { AGENT_AUTH_CONTEXT: JSON.stringify(context), AGENT_AUTH_SERVICE: url };
    await memory.run({ variables, limit: 3_600_000, browser: false });
  }
  await service.close();
  const seen = exchanges.read().exchanges;
  expect(seen.map(({ path }) => path)).toContain('/agent/identity');
  return [...new Set(judged(seen).map(({ by, requirement }) => `${by} ${requirement}`))];
}

describe('traffic through the proxy', () => {
  it('of a right agent shows nothing wrong', async () => {
    expect(await foundOf([])).toEqual([]);
  });

  it.each<[Break, string]>([
    ['hurries', 'agent DEV-03'],
    ['tokenInQuery', 'agent BRR-03'],
    ['jsonExchange', 'agent AR-EP-7.agent'],
  ])('of an agent that is broken shows what is: %s', async (name, finding) => {
    expect(await foundOf([name])).toEqual([finding]);
  });

  it('of a service that is broken shows what is', async () => {
    expect(await foundOf([], 'missingMetadataHint')).toEqual(['service AR-EP-3']);
  });
});
