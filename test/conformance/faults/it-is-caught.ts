import { afterAll, expect, it } from 'vitest';
import type { ScenarioResult } from '../../../src/conformance/index.ts';
import { makeAgent } from '../agents/good-agent.ts';
import { judgeInProcess } from '../agents/judge-test-agent.ts';
import { failingChecks } from '../support/failing-checks.ts';
import { judgeMock } from '../support/judge-mock.ts';
import { judgeMockProvider } from '../support/judge-mock-provider.ts';
import type { AgentCase } from './cases.ts';
import type { FaultCase } from './fault-case.ts';

const TITLE = '$fault is caught by its checks, and by no other';

/** A test for each fault of the mock service. */
export function itIsCaughtAtService(cases: readonly FaultCase[]): void {
  const judge = (row: FaultCase) =>
    judgeMock(row.server ? [] : [row.fault, ...(row.with ?? [])], row.scenarios, row);
  itIsCaught(TITLE, cases, judge);
}

/** A test for each fault of the mock provider. */
export function itIsCaughtAtProvider(cases: readonly FaultCase[]): void {
  itIsCaught(TITLE, cases, (row) =>
    judgeMockProvider([row.fault, ...(row.with ?? [])], row.scenarios),
  );
}

/** A test for each agent that is broken in one way. */
export function itIsCaughtOfAgent(cases: readonly AgentCase[]): void {
  itIsCaught(
    'that $description is caught by its checks, and by no other ($fault)',
    cases,
    ({ fault, scenarios }) => judgeInProcess(makeAgent(fault), scenarios),
  );
}

/** Exactly the checks that a case names fail. The table of them is what `npm run test:judged` prints. */
function itIsCaught<Case extends FaultCase>(
  title: string,
  cases: readonly Case[],
  judge: (row: Case) => Promise<readonly ScenarioResult[]>,
): void {
  const rows: string[] = [];
  afterAll(() => {
    process.stdout.write(`\nfault → checks that fail\n${rows.join('\n')}\n`);
  });
  it.each(cases)(title, async (row) => {
    const failing = failingChecks(await judge(row));
    rows.push(`${row.fault} → ${failing.join(', ') || 'nothing'}`);
    expect(failing.toSorted()).toEqual(row.fails.toSorted());
    expect(row.fails).not.toEqual([]);
  });
}
