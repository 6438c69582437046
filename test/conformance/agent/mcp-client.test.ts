import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT_CORE } from '../../../src/conformance/agent/core.ts';
import { CROSS_APP_SCENARIOS } from '../../../src/conformance/agent/scenarios/cross-app/index.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { ScenarioResult } from '../../../src/conformance/index.ts';
import { judgeCommand } from '../agents/judge-command.ts';

const COMMAND = join(import.meta.dirname, '../agents/foreign/mcp-client.js');

describe('the official MCP client, which knows cross-app access alone', () => {
  let results: readonly ScenarioResult[];
  beforeAll(async () => {
    const scenarios = [...CROSS_APP_SCENARIOS.map(({ id }) => id), 'agent-call', 'agent-claim'];
    results = await judgeCommand([process.execPath, COMMAND], scenarios, { parallel: 4 });
  });

  it('is judged by that, and asked for no registration', () => {
    const { outcome, unjudged } = verdictOf({
      scenarios: results,
      core: AGENT_CORE,
      selectedOnly: false,
      interrupted: false,
    });
    const odd = results
      .flatMap(({ checks }) => checks)
      .filter(({ id, status }) => status !== 'pass' && id.startsWith('agent-cross-app'))
      .map(({ id, status }) => `${status} ${id}`);
    // It reads nothing in an ID-JAG, and signs nobody in a second time: each is a should.
    expect(odd).toEqual([
      'warn agent-cross-app-id-jag.audience',
      'warn agent-cross-app-id-jag.resource',
      'warn agent-cross-app-id-jag.client',
      'warn agent-cross-app-old-sign-in.renews',
      'skip agent-cross-app-old-sign-in.steps-up',
    ]);
    expect([outcome, unjudged]).toEqual(['conforms', []]);
  });
});
