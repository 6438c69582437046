import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT_CORE } from '../../../src/conformance/agent/core.ts';
import { verdictOf } from '../../../src/conformance/engine/verdict.ts';
import type { CheckResult } from '../../../src/conformance/index.ts';
import { judgeCommand } from '../agents/judge-command.ts';

const FOLDER = join(import.meta.dirname, '../agents/foreign');

/** Judges a command, and says what the report would. */
async function judge(command: readonly [string, ...string[]], scenarios: readonly string[]) {
  const results = await judgeCommand(command, scenarios);
  const verdict = verdictOf({
    scenarios: results,
    core: AGENT_CORE,
    selectedOnly: false,
    interrupted: false,
  });
  return { verdict, checks: results.flatMap(({ checks }) => checks) };
}

const idsOf = (checks: readonly CheckResult[], status: CheckResult['status']) =>
  checks.filter((check) => check.status === status).map(({ id }) => id);

/** Of each kind one: positive, refusals, attacks, what the strict agent declines. */
const SOME = [
  'agent-claim',
  'agent-service-auth',
  'agent-secrets',
  'agent-hostile-addresses',
  'agent-poisoned-skill',
  'agent-issuer-path',
  'agent-wrong-resource',
  'agent-foreign-endpoints',
  'agent-call',
  'agent-refused-token',
];

describe('an agent that knows anonymous registrations alone, and is strict', () => {
  let judged: Awaited<ReturnType<typeof judge>>;
  beforeAll(async () => {
    judged = await judge([process.execPath, join(FOLDER, 'strict-agent.js')], SOME);
  });

  it('has no line to answer for; the verdict says that no claim was judged', () => {
    const { verdict, checks } = judged;
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      unjudged: [{ story: 'a claim', why: expect.stringContaining('declined the task “claim”') }],
    });
    expect(idsOf(checks, 'fail').concat(idsOf(checks, 'warn'))).toEqual([]);
    expect(idsOf(checks, 'untestable')).toEqual([]);
  });

  it('passes what it can do, and is told what it declined', () => {
    const passed = new Set(idsOf(judged.checks, 'pass').map((id) => id.split('.')[0]));
    expect([...passed].toSorted()).toEqual([
      'agent-call',
      'agent-foreign-endpoints',
      'agent-issuer-path',
      'agent-refused-token',
      'agent-secrets',
      'agent-wrong-resource',
    ]);
    const claim = judged.checks.find(({ id }) => id === 'agent-claim.starts');
    expect(claim?.reason).toMatch(/declined the task “claim” \(exit 77\)/);
  });
});

/** Judges the strict agent with a text of it replaced: it says `http://` of any host, for example. */
async function judgeChanged(from: string, to: string, scenarios: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-auth-changed-'));
  try {
    const text = readFileSync(join(FOLDER, 'strict-agent.js'), 'utf8');
    expect(text).toContain(from);
    const file = join(folder, 'changed-agent.mjs');
    writeFileSync(file, text.replace(from, to));
    return await judge([process.execPath, file], scenarios);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('plain http to other hosts', () => {
  const SCENARIO = ['agent-plain-http'];

  it("is seen of an agent on Node's own fetch, which asks no proxy", async () => {
    const { checks } = await judgeChanged('^http:\\/\\/127\\.0\\.0\\.1[:/]', '^http:', SCENARIO);
    expect(idsOf(checks, 'fail')).toEqual(['agent-plain-http.refused']);
  });

  it('is not held against an agent that sends none', async () => {
    const { checks } = await judge([process.execPath, join(FOLDER, 'strict-agent.js')], SCENARIO);
    expect(checks.map(({ status }) => status)).toEqual(['pass', 'pass', 'pass']);
  });

  it('passes nobody of whom it could not be seen', async () => {
    const command = ['/usr/bin/env', '-u', 'NODE_OPTIONS', process.execPath] as const;
    const { checks } = await judge([...command, join(FOLDER, 'strict-agent.js')], SCENARIO);
    expect(checks.map(({ id, status }) => [id, status])).toEqual([
      ['agent-plain-http.schemes', 'pass'],
      ['agent-plain-http.refused', 'untestable'],
      ['agent-plain-http.look-alike', 'skip'],
    ]);
    expect(checks[1]?.reason).toContain('cannot be seen');
  });
});

describe('an agent that finds no service', () => {
  it('gets one finding, and no credit for what it never saw', async () => {
    const { verdict, checks } = await judge(['/bin/sh', join(FOLDER, 'lost-agent.sh')], SOME);
    expect(idsOf(checks, 'pass')).toEqual([]);
    expect(idsOf(checks, 'warn')).toEqual([]);
    expect(idsOf(checks, 'untestable')).toEqual([]);
    expect(idsOf(checks, 'fail')).toEqual(['agent-call.two-hops']);
    expect(verdict.outcome).toBe('does_not_conform');
    const refusal = checks.find(({ id }) => id === 'agent-wrong-resource.other-origin');
    expect(refusal).toMatchObject({ status: 'skip', restsOn: 'agent-call.two-hops' });
  });
});

describe('a command that does nothing', () => {
  it('passes nothing, fails nothing, and is not said to conform', async () => {
    const { verdict, checks } = await judge(['true'], SOME);
    expect(idsOf(checks, 'pass')).toEqual([]);
    expect(idsOf(checks, 'fail')).toEqual([]);
    expect(idsOf(checks, 'warn')).toEqual([]);
    expect(idsOf(checks, 'untestable')).toEqual(['agent-call.two-hops']);
    expect(verdict.outcome).toBe('inconclusive');
    // Whatever rests on the one cause is open for the same reason.
    const why =
      'The command sent no request (exit 0), so that no other run was begun. The command has to read its task from AGENT_AUTH_CONTEXT: docs/conformance-agent.md.';
    expect(verdict.unjudged).toEqual(
      [
        'discovery',
        'an anonymous registration',
        'a registration by email',
        'a claim',
        'an exchange',
        'a call with the access token',
        'a revocation that is noticed',
      ].map((story) => ({ story, why })),
    );
  });
});
