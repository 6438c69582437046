import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT_CORE } from '../../../src/conformance/agent/core.ts';
import { CROSS_APP_SCENARIOS } from '../../../src/conformance/agent/scenarios/index.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { CheckResult, ScenarioResult } from '../../../src/conformance/index.ts';
import { judgeCommand } from '../agents/judge-command.ts';

const idsOf = (checks: readonly CheckResult[], status: CheckResult['status']) =>
  checks.filter((check) => check.status === status).map(({ id }) => id);

const COMMAND = join(import.meta.dirname, '../agents/foreign/mcp-client.js');

describe('an MCP client that writes its token requests as', () => {
  it.each<[language: string, failed: readonly string[]]>([
    ['go', []],
    // Its URLs get a final slash where they have no path (EMA-102).
    ['csharp', ['agent-cross-app.mints', 'agent-cross-app-bare-resource.unchanged']],
  ])('those in %s is judged by what it sends', async (language, failed) => {
    const command = [process.execPath, COMMAND, language] as const;
    const some = ['agent-cross-app', 'agent-cross-app-bare-resource'];
    const results = await judgeCommand(command, some, { parallel: 4 });
    const checks = results.flatMap(({ checks }) => checks);
    expect(idsOf(checks, 'fail')).toEqual(failed);
    const redeemed = idsOf(checks, 'pass').includes('agent-cross-app.redeems');
    expect([idsOf(checks, 'warn'), redeemed]).toEqual([[], failed.length === 0]);
  });
});

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
