import { describe, expect, it } from 'vitest';
import type { AgentTaskContext } from '../../../src/conformance/index.ts';
import { makeAgent } from '../agents/good-agent.ts';
import { judgeInProcess } from '../agents/judge-test-agent.ts';
import type { InProcessAgent, Tools } from '../agents/memory-harness.ts';

const contextOf = (tools: Tools) =>
  JSON.parse(tools.variables['AGENT_AUTH_CONTEXT'] ?? '') as AgentTaskContext;

describe('what an agent does where everything is right', () => {
  it('is looked at once in a run, however many scenarios need it', async () => {
    const runs: string[] = [];
    const right = makeAgent();
    const agent: InProcessAgent = (tools) => {
      const { scenario, task } = contextOf(tools);
      if (scenario === 'agent-control') runs.push(task);
      return right(tools);
    };
    const results = await judgeInProcess(agent, [
      'agent-wrong-resource',
      'agent-wrong-issuer',
      'agent-foreign-endpoints',
      'agent-certificate',
    ]);
    expect(results.flatMap(({ checks }) => checks).map(({ status }) => status)).toSatisfy(
      (all: string[]) => all.every((status) => status === 'pass'),
    );
    expect(runs.toSorted()).toEqual(['begin', 'call']);
  });

  it('gives no credit to an agent that also refuses what is right', async () => {
    const right = makeAgent();
    const agent: InProcessAgent = (tools) =>
      contextOf(tools).task === 'call'
        ? tools.send(contextOf(tools).resource).then(() => 1)
        : right(tools);
    const [result] = await judgeInProcess(agent, ['agent-wrong-issuer']);
    expect(result?.checks.map(({ status }) => status)).not.toContain('pass');
    expect(result?.checks[0]).toMatchObject({
      status: 'untestable',
      reason:
        'At a right service this agent did not register either: GET /api/resource (exit 1). So nothing is shown by what it did not do here.',
    });
  });

  it('is asked again at other places by an agent that knows those alone', async () => {
    const [result] = await judgeInProcess(makeAgent('appendsWellKnown'), ['agent-wrong-resource']);
    expect(result?.checks.map(({ status }) => status)).toEqual(Array(5).fill('pass'));
  });
});

describe('an agent that hangs without a request', () => {
  it('is given up after three runs', async () => {
    let runs = 0;
    const agent: InProcessAgent = async ({ sleep }) => {
      runs += 1;
      await sleep(1_000_000);
      return 0;
    };
    const results = await judgeInProcess(agent, [
      'agent-call',
      'agent-odd-tokens',
      'agent-secrets',
      'agent-certificate',
      'agent-slow-down',
    ]);
    const checks = results.flatMap((result) => result.checks);
    expect(runs).toBe(3);
    expect(checks.map(({ status }) => status)).not.toContain('pass');
    expect(checks.map(({ status }) => status)).not.toContain('fail');
    expect(
      checks.some(({ reason }) => reason?.startsWith('3 runs of the command had to be killed')),
    ).toBe(true);
  });
});
