import { afterAll, describe, expect, it } from 'vitest';
import { AGENT_SCENARIOS, checkIds } from '../../../src/conformance/index.ts';
import { BREAKS, type Break } from '../agents/breaks.ts';
import { judgeBroken } from '../agents/judge-test-agent.ts';
import { failingChecks, withStatus } from '../support/failing-checks.ts';
import { AGENT_FAULT_CASES } from './agent/agent-cases.ts';

const rows: string[] = [];

// The table is what `npm run test:faults` is for.
afterAll(() => {
  process.stdout.write(`\nbroken agent → checks that fail\n${rows.join('\n')}\n`);
});

/** The ids of the checks that a broken agent has to fail. */
function expected(name: Break): readonly string[] {
  return Object.entries(AGENT_FAULT_CASES[name]).flatMap(([scenario, checks]) =>
    checks.map((check) => `${scenario}.${check}`),
  );
}

const names = Object.keys(BREAKS) as readonly Break[];

describe('a broken agent', () => {
  it.each(names.map((name) => ({ name, says: BREAKS[name] })))(
    'that $says is caught by its checks, and by no other ($name)',
    async ({ name }) => {
      const results = await judgeBroken([name], Object.keys(AGENT_FAULT_CASES[name]));
      const failing = failingChecks(results);
      rows.push(`${name} → ${failing.join(', ') || 'nothing'}`);
      expect(failing.toSorted()).toEqual(expected(name).toSorted());
      expect(failing).not.toEqual([]);
    },
  );
});

describe('a check of an agent', () => {
  it('can be failed by a broken agent, each of them', () => {
    const caught = new Set(names.flatMap(expected));
    expect(AGENT_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it('is passed by a right agent, each of them', async () => {
    const results = await judgeBroken();
    const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']);
    expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
    expect(results).toHaveLength(AGENT_SCENARIOS.length);
  }, 60_000);
});
