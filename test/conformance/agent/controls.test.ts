import { describe, expect, it } from 'vitest';
import { ending } from '../../../src/conformance/agent/agent-world.ts';
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

describe('a command that hangs and never sent a request', () => {
  it('is told within the time of one run that it has to read its task', async () => {
    let runs = 0;
    const agent: InProcessAgent = async ({ sleep }) => {
      runs += 1;
      await sleep(1_000_000);
      return 0;
    };
    const titles = new Set<string | undefined>();
    const results = await judgeInProcess(agent, ['agent-call', 'agent-slow-down'], {
      parallel: 2,
      onProgress: ({ title }) => titles.add(title),
    });
    const reasons = results.flatMap(({ checks }) => checks).map(({ reason }) => reason);
    expect(runs).toBe(1);
    expect(titles).toEqual(
      new Set(['The command reads AGENT_AUTH_CONTEXT and sends its first request', undefined]),
    );
    expect(reasons).toContain(
      'The command sent no request (killed: it had not ended in time), so that no other run was begun. The command has to read its task from AGENT_AUTH_CONTEXT: docs/conformance-agent.md. If it takes longer to start: --timeout.',
    );
  });

  it('is not waited for by others once it has sent one', async () => {
    const right = makeAgent();
    let runs = 0;
    let goOn: () => void = () => {};
    const another = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const agent: InProcessAgent = async (tools) => {
      runs += 1;
      if (runs > 1) goOn();
      if (runs === 1) {
        await tools.send(contextOf(tools).resource);
        await another;
      }
      return right(tools);
    };
    const results = await judgeInProcess(agent, ['agent-secrets', 'agent-call'], { parallel: 2 });
    const { checks = [] } = results.find(({ id }) => id === 'agent-call') ?? {};
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['pass']));
  });
});

describe('a command that ends and never sends a request', () => {
  it.each([1, 2, 0])(
    'is run no more than shows that, and has one reason, at exit %i',
    async (exit) => {
      const tasks: string[] = [];
      const agent: InProcessAgent = async (tools) => {
        tasks.push(contextOf(tools).task);
        return exit;
      };
      const scenarios = ['agent-call', 'agent-slow-down', 'agent-certificate', 'agent-cross-app'];
      const results = await judgeInProcess(agent, scenarios, { parallel: 4 });
      const open = results.flatMap(({ checks }) => checks).filter(({ restsOn }) => !restsOn);
      const reasons = new Set(open.map(({ reason }) => reason));
      expect(tasks.slice(1)).toEqual(['call', 'connect']);
      expect([...reasons]).toEqual([
        `The command sent no request (exit ${exit}), so that no other run was begun. The command has to read its task from AGENT_AUTH_CONTEXT: docs/conformance-agent.md.`,
      ]);
    },
  );

  it('is judged on where it sends none in one task alone, or declines one', async () => {
    const right = makeAgent();
    for (const others of [right, async () => 77]) {
      const tasks: string[] = [];
      const agent: InProcessAgent = async (tools) => {
        tasks.push(contextOf(tools).task);
        return tasks.length === 1 ? 1 : others(tools);
      };
      const results = await judgeInProcess(agent, ['agent-call', 'agent-slow-down']);
      const reasons = results.flatMap(({ checks }) => checks.map(({ reason = '' }) => reason));
      expect(reasons.join()).not.toContain('no other run was begun');
      // Nor is another task tried beside that one.
      expect(tasks).not.toContain('connect');
    }
  });
});

it('told nothing but the version of Node of a program that Node could not load', () => {
  const stderr = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/nothere.mjs'
    at node:internal/main/run_main_module:33:47 {
  code: 'MODULE_NOT_FOUND'
}

Node.js v22.13.0
`;
  const end = { exitCode: 1, killed: false, killedFor: undefined, stderr };
  expect(ending(end)).toBe("exit 1, “Error: Cannot find module '/srv/nothere.mjs'”");
});

describe('an agent that hangs without a request later on', () => {
  it('is given up after three runs', async () => {
    let runs = 0;
    const agent: InProcessAgent = async (tools) => {
      runs += 1;
      if (runs === 1) await tools.send(contextOf(tools).resource);
      else await tools.sleep(1_000_000);
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
    expect(runs).toBe(1 + 3);
    expect(checks.map(({ status }) => status)).not.toContain('pass');
    expect(checks.map(({ status }) => status)).not.toContain('fail');
    expect(
      checks.some(({ reason }) => reason?.startsWith('3 runs of the command had to be killed')),
    ).toBe(true);
  });
});
