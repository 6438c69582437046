import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/conformance/index.ts';
import { testFolder } from '../../support/test-folder.ts';
import { checkPublished } from '../support/check-published.ts';
import { type Judged, judgedMachine } from '../support/judged.ts';

let folder: string;
let judged: Judged;
beforeEach(async () => {
  folder = testFolder();
  judged = await judgedMachine();
});
afterEach(() => judged.close());

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');

describe('conformance --since', () => {
  it('names the checks that fail now, and those that pass again, and leaves the exit code', async () => {
    const { target } = await judged.start();
    const line = `conformance service ${target} --only cache-headers,resource-metadata`;
    await judged.run(`${line} --report json=${file('right')}`);
    await judged.setFaults(['wrongTokenCacheControl']);
    const failing = await judged.run(
      `${line} --since ${file('right')} --report json=${file('wrong')} --report markdown=${file('md')}`,
    );
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(
      /^Since \S+Z: \d checks? fails? that passed, of \d+ judged then and now\.\n {2}pass → fail +cache-headers\.tokens$/m,
    );
    expect(read('md')).toMatch(
      /^### What changed\n\nSince .*\n\n- ❌ pass → fail ` cache-headers\./m,
    );
    const report = JSON.parse(read('wrong')) as Report;
    const { since } = report;
    checkPublished(JSON.stringify(report));
    expect(since).toMatchObject({ target, worse: true, passesNow: [] });
    await judged.setFaults([]);
    const { code, json } = await judged.run(`${line} --since ${file('wrong')} --json`);
    expect([code, json()]).toMatchObject([
      0,
      [
        {
          since: {
            worse: false,
            failsNow: [],
            passesNow: since?.failsNow.map(({ id }) => ({ id })),
          },
        },
      ],
    ]);
  });

  it('compares no check that one of the runs did not judge', async () => {
    const { target } = await judged.start();
    await judged.run(
      `conformance service ${target} --only resource-metadata --report json=${file('a')}`,
    );
    await judged.setFaults(['wrongTokenCacheControl']);
    const { json } = await judged.run(
      `conformance service ${target} --only cache-headers --since ${file('a')} --json`,
    );
    expect(json()).toMatchObject([{ since: { compared: 0, worse: false, failsNow: [] } }]);
  });

  const report = (more: object) =>
    JSON.stringify({
      ...{ schema: 'agent-auth.conformance/1', version: '0.1.0', role: 'service' },
      ...{ target: 'x', startedAt: '2026-01-01T00:00:00Z', scenarios: [], ...more },
    });

  it.each<[what: string, text: string, message: string]>([
    ['nothing', '', 'is no report of a run.'],
    ['a baseline', 'schema: agent-auth.conformance-baseline/1\n', 'is no report of a run.'],
    ['JSON of another command', '{"schema":"agent-auth.doctor/1"}', 'is no report of a run.'],
    [
      'another format',
      report({ schema: 'agent-auth.conformance/2\u001b' }),
      'is a report of the format agent-auth.conformance/2\\u001b; this version reads agent-auth.conformance/1.',
    ],
    ['a defect', report({ scenarios: [{}] }), 'is a report with a defect: scenarios.0.checks: '],
    ['another role', report({ role: 'agent' }), 'is a report of an agent, not of a service.'],
  ])('is exit 2 before anything is judged for %s', async (_what, text, message) => {
    writeFileSync(file('bad'), text);
    const { code, stderr } = await judged.run(
      `conformance service --mock --since ${file('bad')} --report html=${file('html')}`,
    );
    expect(stderr).toContain(`${file('bad')} of --since ${message}`);
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('Judging')]);
    expect(() => read('html')).toThrow();
  });
});
