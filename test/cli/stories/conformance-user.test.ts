import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemFetch } from '../../../src/runtime/system-fetch.ts';
import { ScriptedUser } from '../../../src/user/scripted-user.ts';
import { openClaimPage, tryCode } from '../../../src/user/user-steps.ts';
import { testFolder } from '../../support/test-folder.ts';
import { type Judged, judgedMachine, TOKEN } from '../support/judged.ts';
import type { Live, Run } from '../support/run-cli.ts';

let folder: string;
let judged: Judged;
beforeEach(async () => {
  folder = testFolder();
  judged = await judgedMachine();
});
afterEach(() => judged.close());

interface Printed {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
}

function claimedIn(run: Run): Printed | undefined {
  const [report] = run.json();
  const scenarios = (report?.['scenarios'] ?? []) as readonly { checks: readonly Printed[] }[];
  return scenarios.flatMap(({ checks }) => checks).find(({ id }) => id === 'anonymous.claimed');
}

describe('--user manual', () => {
  it('shows link, email and code, and goes on after Enter', async () => {
    const { target } = await judged.start();
    const seen = new Set<string>();
    const meanwhile = ({ stderr, stdin }: Live) => {
      judged.machine.onSleep = async () => {
        const [, page = '', email = '', code = ''] =
          /Open {5}(\S+)\n {2}Sign in {2}as (\S+)\n {2}Code {5}(\S+)\n/.exec(stderr.text) ?? [];
        if (page === '' || seen.has(page)) return;
        seen.add(page);
        const user = new ScriptedUser(createSystemFetch());
        await tryCode(user, await openClaimPage(user, page, email), code);
        stdin.write('\r');
        // A key arrives with a turn of the loop of its own.
        await new Promise((resolve) => setImmediate(resolve));
      };
    };
    const { code, stdout, stderr } = await judged.run(
      `conformance service ${target} --user manual --only anonymous.claimed`,
      { tty: true, meanwhile },
    );
    expect([...seen]).toHaveLength(1);
    expect(stderr).toContain('Then press Enter here.');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
  });

  it('reports that it could not be tested when the user does not act in time', async () => {
    const { target } = await judged.start();
    const { code, stdout } = await judged.run(
      `conformance service ${target} --user manual --only anonymous.claimed`,
      { tty: true },
    );
    expect([code, stdout]).toEqual([9, expect.stringContaining('The user did not act')]);
  });

  it('is refused where no user can be asked', async () => {
    const { code, stderr } = await judged.run('conformance service --mock --user manual');
    expect([code, stderr]).toEqual([2, expect.stringContaining('needs a terminal')]);
  });
});

describe('--user command', () => {
  const script = (text: string) => {
    const path = join(folder, 'user.mjs');
    writeFileSync(
      path,
      `let text = '';\nfor await (const part of process.stdin) text += part;\nconst task = JSON.parse(text);\n${text}`,
    );
    return `${process.execPath} '${path}'`;
  };
  const line = (target: string) =>
    `conformance service ${target} --only anonymous.claimed --json --user command --user-command`;

  it('runs the command with the task on its stdin', async () => {
    const { target } = await judged.start();
    const command = script(`
const headers = { authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json' };
const list = await (await fetch('${target}/__mock/registrations', { headers })).json();
const [{ registration_id: id }] = list.registrations;
const done = await fetch('${target}/__mock/registrations/' + id + '/complete', {
  method: 'POST', headers, body: JSON.stringify({ email: task.email }),
});
process.exitCode = done.ok && task.decision === 'approve' && task.user_code ? 0 : 1;`);
    const run = await judged.run(line(target), {}, command);
    expect([run.code, claimedIn(run)?.status]).toEqual([0, 'pass']);
  });

  it('reports that it could not be tested when the command fails', async () => {
    const { target } = await judged.start();
    const run = await judged.run(line(target), {}, script('process.exitCode = 4;'));
    expect(run.code).toBe(9);
    expect(claimedIn(run)).toMatchObject({
      status: 'untestable',
      reason: expect.stringContaining('ended with 4'),
    });
  });
});

describe('--user browser', () => {
  it('reports that it could not be tested where there is no such browser', async () => {
    const { target } = await judged.start();
    const run = await judged.run(
      `conformance service ${target} --only anonymous.claimed --json --user browser --chromium /nonexistent/chromium`,
    );
    expect(run.code).toBe(9);
    expect(claimedIn(run)).toMatchObject({
      status: 'untestable',
      reason: expect.stringContaining('/nonexistent/chromium'),
    });
  });
});
