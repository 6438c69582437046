import { expect, it } from 'vitest';
import { AGENT_SCENARIOS } from '../../../src/conformance/index.ts';
import { judgeBroken } from '../agents/judge-test-agent.ts';
import { withStatus } from '../support/failing-checks.ts';

it('passes a right agent in every check', async () => {
  const results = await judgeBroken();
  const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']);
  expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  expect(results).toHaveLength(AGENT_SCENARIOS.length);
}, 60_000);
