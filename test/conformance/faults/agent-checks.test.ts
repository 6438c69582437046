import { describe, expect, it } from 'vitest';
import { AGENT_SCENARIOS, checkIds } from '../../../src/conformance/index.ts';
import { BREAKS } from '../agents/breaks.ts';
import { makeAgent } from '../agents/good-agent.ts';
import { judgeInProcess } from '../agents/judge-test-agent.ts';
import { ownProgram } from '../agents/own-program.ts';
import { withStatus } from '../support/failing-checks.ts';
import { AGENT_CASES } from './cases.ts';

describe('a broken agent', () => {
  it('is caught, each of them', () => {
    expect(AGENT_CASES.map(({ fault }) => fault)).toHaveLength(Object.keys(BREAKS).length);
  });
});

describe('a check of an agent', () => {
  it('can be failed by a broken agent, each of them', () => {
    const caught = new Set(AGENT_CASES.flatMap(({ fails }) => fails));
    expect(AGENT_SCENARIOS.flatMap(checkIds).filter((id) => !caught.has(id))).toEqual([]);
  });

  it.each([
    ['a right agent', makeAgent()],
    ['this program', ownProgram()],
  ])('is passed by %s, each of them', async (_name, agent) => {
    const results = await judgeInProcess(agent);
    const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']);
    expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
    expect(results).toHaveLength(AGENT_SCENARIOS.length);
  });
});
