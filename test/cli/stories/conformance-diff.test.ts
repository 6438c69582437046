import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Judged, judgedMachine, listening } from '../support/judged.ts';

let folder: string;
let judged: Judged;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  judged = await judgedMachine();
});
afterEach(async () => {
  await judged.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), 'utf8');

/** Judges the started mock by one scenario, and keeps the report. */
async function report(target: string, name: string, more = '--only anonymous'): Promise<string> {
  const line = `conformance service ${target} ${more} --report json=${file(name)}`;
  await judged.run(line);
  return file(name);
}

describe('conformance diff', () => {
  it('exits 0 for two runs of the same service, and finds no answer that differs', async () => {
    const { target } = await judged.start();
    const a = await report(
      target,
      'a',
      '--only anonymous,resource-metadata,cache-headers --seed 1',
    );
    const b = await report(
      target,
      'b',
      '--only anonymous,resource-metadata,cache-headers --seed 2',
    );
    const { code, json, stdout } = await judged.run(`conformance diff ${a} ${b} --json`);
    expect(json()).toMatchObject([
      {
        schema: 'agent-auth.conformance-diff/1',
        role: 'service',
        worse: false,
        a: { target, outcome: 'conforms', seed: 1, selectedOnly: true },
        b: { target, outcome: 'conforms', seed: 2 },
        checks: [],
        answers: [],
      },
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('"protocol":{"passed":')]);
    const text = await judged.run(`conformance diff ${a} ${b}`);
    expect(text.stdout).toMatch(/\nNothing got worse\.\n$/);
  });

  it('exits 1 when a check that passed fails, and names the members that differ', async () => {
    const { target } = await judged.start();
    const a = await report(target, 'a');
    await judged.setFaults(['wrongTokenCacheControl', 'wrongExpiresInType', 'noDelivery']);
    const b = await report(target, 'b');
    const { code, stdout } = await judged.run(
      `conformance diff ${a} ${b} --markdown ${file('diff.md')}`,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Worse: .* \(\d+\)\n {2}pass → (fail|untestable) +anonymous\./m);
    expect(stdout).toContain('header cache-control: no-store → ');
    expect(stdout).toMatch(/member expires_in: number → string {2}\d+ times, first in anonymous/);
    expect(read('diff.md')).toMatch(/^## ❌ \d+ checks? got worse/);
    expect(read('diff.md')).toContain('member expires\\_in: ` number ` → ` string `');
    const back = await judged.run(`conformance diff ${b} ${a}`);
    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('Nothing got worse, ')]);
  });

  it('judges a URL now, by the seed of the report', async () => {
    const { target } = await judged.start();
    const a = await report(target, 'a', '--only resource-metadata --seed 77');
    const { code, json, stderr } = await judged.run(
      `conformance diff ${a} ${target} --only resource-metadata --json`,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject([{ a: { seed: 77 }, b: { seed: 77 }, answers: [] }]);
  });

  it('judges two URLs with the same new seed', async () => {
    const { target } = await judged.start();
    const { code, json } = await judged.run(
      `conformance diff ${target} ${target} --only anonymous --json`,
    );
    const [{ a, b } = { a: {}, b: {} }] = json() as { a: object; b: object }[];
    expect([code, (a as { seed: number }).seed]).toEqual([0, (b as { seed: number }).seed]);
  });

  it('exits 7 when a URL does not answer', async () => {
    const peer = await listening((socket) => socket.destroy());
    await peer.close();
    const { target } = await judged.start();
    const a = await report(target, 'a', '--only resource-metadata');
    const { code, json } = await judged.run(`conformance diff ${a} ${peer.origin} --json`);
    expect([code, json()]).toMatchObject([7, [{ error: { code: 'target_unreachable' } }]]);
  });
});

describe('a file that conformance diff cannot take', () => {
  const good = () => {
    const check = {
      ...{ id: 'x.y', title: 'X.', level: 'must', status: 'pass' },
      ...{ requirements: [], sources: [], findings: [], moreFindings: 0 },
    };
    return {
      ...{ schema: 'agent-auth.conformance/1', version: '0.1.0', role: 'service' },
      ...{ target: 'http://127.0.0.1:1', startedAt: '2026-01-01T00:00:00Z', duration: 1, seed: 1 },
      summary: { checks: {}, byLevel: {} },
      scenarios: [{ id: 'x', title: 'X', duration: 1, checks: [check], exchanges: [] }],
    };
  };

  it.each<[what: string, text: string, message: RegExp]>([
    ['nothing', '', /is no report of a run: it is empty\./],
    ['a page', '<!doctype html><p>x', /it is a page of HTML\./],
    ['JUnit', '<?xml version="1.0"?>\n<testsuites/>', /it is a JUnit report\./],
    ['SARIF', '{"version":"2.1.0","runs":[]}', /it is a SARIF report\./],
    ['a baseline', 'schema: agent-auth.conformance-baseline/1\n', /it is a baseline\./],
    ['a list', '[]', /it is a list\./],
    ['JSON of another command', '{"schema":"agent-auth.doctor/1"}', /agent-auth\.doctor\/1\./],
    ['an error', '{"schema":"agent-auth.error/1","error":{}}', /an error of a run/],
    ['no JSON', 'hello', /it is not JSON\./],
    [
      'a newer schema',
      '{"schema":"agent-auth.conformance/2"}',
      /of the schema agent-auth\.conformance\/2; /,
    ],
    ['half a report', '{"schema":"agent-auth.conformance/1"}', /a report with a defect: version/],
    ['hostile text', '{"schema":"\\u001b[2J"}', /schema \\u001b\[2J/],
  ])('is refused with exit 2, its name, and what it is: %s', async (_what, text, message) => {
    writeFileSync(file('good.json'), JSON.stringify(good()));
    writeFileSync(file('bad'), text);
    for (const order of [
      `${file('bad')} ${file('good.json')}`,
      `${file('good.json')} ${file('bad')}`,
    ]) {
      const { code, stderr } = await judged.run(`conformance diff ${order}`);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr).toContain(file('bad'));
    }
  });

  it('is refused where it is of another role, or cannot be read', async () => {
    writeFileSync(file('service.json'), JSON.stringify(good()));
    writeFileSync(file('agent.json'), JSON.stringify({ ...good(), role: 'agent' }));
    const run = async (words: string) => {
      const { code, stderr } = await judged.run(`conformance diff ${words}`);
      return [code, stderr.split('\n')[0]];
    };
    expect(await run(`${file('service.json')} ${file('agent.json')}`)).toEqual([
      2,
      `✗ ${file('agent.json')} is a report of an agent, ${file('service.json')} of a service.`,
    ]);
    expect(await run(`${file('service.json')} http://127.0.0.1:1 --role provider`)).toEqual([
      2,
      `✗ ${file('service.json')} is a report of a service, --role says a provider.`,
    ]);
    expect(await run(`${file('agent.json')} http://127.0.0.1:1`)).toEqual([
      2,
      expect.stringContaining('is of an agent, which is a command'),
    ]);
    expect(await run(`${file('service.json')} ${file('missing')}`)).toEqual([
      2,
      expect.stringContaining('it does not exist'),
    ]);
    expect(await run(`${file('service.json')} ${folder}`)).toEqual([
      2,
      expect.stringContaining('it is a folder'),
    ]);
  });

  it('is read where an earlier version wrote it: what it does not say is unknown', async () => {
    writeFileSync(file('a'), JSON.stringify(good()));
    const [scenario] = good().scenarios;
    const checks = scenario?.checks.map((check) => ({ ...check, status: 'fail' }));
    const failing = { ...good(), scenarios: [{ ...scenario, checks }] };
    // As --json prints it: in one line, with what went wrong after it.
    writeFileSync(file('b'), `${JSON.stringify(failing)}\n{"schema":"agent-auth.error/1"}\n`);
    const { code, stdout } = await judged.run(`conformance diff ${file('a')} ${file('b')}`);
    expect(code).toBe(1);
    expect(stdout).toContain('Verdict unknown: a report of an earlier version. Protocol unknown');
    expect(stdout).toContain('Does not conform. Protocol unknown');
    expect(stdout).toMatch(/pass → fail +x\.y {2}X\./);
    const { json } = await judged.run(`conformance diff ${file('a')} ${file('b')} --json`);
    expect(json()).toMatchObject([{ a: { outcome: null, sections: null } }]);
  });
});
