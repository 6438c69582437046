import { describe, expect, it } from 'vitest';
import { agentScenario } from '../../../src/conformance/agent/agent-world.ts';
import { Catalog, judgeAgent, type ScenarioResult } from '../../../src/conformance/index.ts';
import { systemRandom } from '../../../src/runtime/index.ts';
import { type InProcessAgent, MemoryHarness, type Tools } from '../agents/memory-harness.ts';

const CASES = ['one', 'two', 'three'] as const;

/** Runs the agent in each case, at a service of its own. */
const threeCases = agentScenario({
  id: 'three-cases',
  title: 'Three cases',
  checks: { one: 'The first ends well.', two: 'The second does.', three: 'The third does.' },
  async run(judge, world) {
    await world.eachBeside(CASES, async (beside, name) => {
      const run = await beside.run('call', { service: await beside.service() });
      judge.expect(name, run.ok, 'it failed');
    });
    judge.expect('one', world.traffic.length === 0, 'requests of its cases');
  },
});

/** Another scenario of the same run. */
const another = agentScenario({
  id: 'another',
  title: 'Another',
  checks: { ends: 'It ends well.' },
  async run(judge, world) {
    const run = await world.run('call', { service: await world.service() });
    judge.expect('ends', run.ok, 'it failed');
  },
});

/**
 * Counts the runs of an agent that are under way at once.
 * @param together how many have to be, before the first may end: a barrier, so that none is gone before the next begins.
 */
function crowd(work: InProcessAgent, together = 1) {
  const seen = { now: 0, most: 0, begun: [] as string[] };
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const agent: InProcessAgent = async (tools) => {
    seen.begun.push(String(tools.variables['AGENT_AUTH_SCENARIO']));
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    if (seen.most >= together) open();
    try {
      const code = await work(tools);
      await opened;
      return code;
    } finally {
      seen.now -= 1;
    }
  };
  return { agent, seen };
}

const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for its resource, and lets the others go on before and after. */
async function ask({ send, variables }: Tools): Promise<number> {
  for (let turn = 0; turn < 50; turn += 1) await aTurn();
  const { resource } = JSON.parse(String(variables['AGENT_AUTH_CONTEXT'])) as { resource: string };
  return (await send(resource)).status === 401 ? 0 : 1;
}

function judge(agent: InProcessAgent, parallel: number, signal?: AbortSignal) {
  return judgeAgent({
    openHarness: async () => new MemoryHarness(agent),
    random: systemRandom,
    catalog: new Catalog([]),
    limit: 60_000,
    parallel,
    scenarios: [threeCases, another],
    signal,
  });
}

const statusesOf = (results: readonly ScenarioResult[]) =>
  results.flatMap(({ checks }) => checks.map(({ status }) => status));

describe('cases side by side', () => {
  it.each([
    [1, 1],
    [2, 2],
    [9, 4],
  ])('are as many at once as there are places: of %i, %i are taken', async (parallel, most) => {
    const { agent, seen } = crowd(ask, most);
    const results = await judge(agent, parallel);
    expect(statusesOf(results)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(seen.most).toBe(most);
  });

  it('begin before scenarios that have not', async () => {
    const { agent, seen } = crowd(ask);
    await judge(agent, 1);
    expect(seen.begun).toEqual(['three-cases', 'three-cases', 'three-cases', 'another']);
  });

  it('have their exchanges in the one report of the scenario', async () => {
    const [result] = await judge(ask, 3);
    expect(result?.exchanges.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('are judged each, also where the first cannot be', async () => {
    let runs = 0;
    // The adapter declines the first task that it is given.
    const agent: InProcessAgent = async (tools) => {
      runs += 1;
      return runs === 1 ? 77 : ask(tools);
    };
    const [result] = await judge(agent, 1);
    expect(result?.checks.map(({ status }) => status)).toEqual(['skip', 'pass', 'pass']);
    expect(result?.checks[0]?.reason).toContain('declined the task');
  });

  it('are all stopped by an interruption', async () => {
    const interrupt = new AbortController();
    let [begun, answered] = [0, 0];
    const agent: InProcessAgent = async (tools) => {
      begun += 1;
      if (begun === 3) interrupt.abort(new Error('enough'));
      const code = await ask(tools);
      // The first run is alone until its request has come, and may have ended before the others begin.
      if (interrupt.signal.aborted) answered += 1;
      return code;
    };
    await expect(judge(agent, 9, interrupt.signal)).rejects.toThrow('enough');
    expect(begun).toBeGreaterThanOrEqual(3);
    expect(answered).toBe(0);
  });
});
