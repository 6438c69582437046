import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/conformance/index.ts';
import { isAlive } from '../../support/is-alive.ts';
import { until } from '../../support/until.ts';
import { Home, isBuilt, NOT_BUILT, PROGRAM } from './support.ts';

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

/**
 * What the program has of the machine: certificates, time limits, redirects and long answers of the network, a browser,
 * files and arguments, and what one process leaves to the next. By all scenarios `agent-checks.test.ts` judges it.
 */
const OF_THE_MACHINE = [
  'agent-call',
  'agent-certificate',
  'agent-claim',
  'agent-claimed-away',
  'agent-cross-app',
  'agent-hostile-addresses',
  'agent-id-jag',
  'agent-large-answers',
  'agent-lost-answer',
  'agent-redirected-metadata',
  'agent-secrets',
  'agent-slow-answers',
  'agent-slow-metadata',
  'agent-slow-polls',
];

describe.runIf(isBuilt)('agent-auth, judged as an agent', () => {
  it('passes what shows the machine in a run, as a process', async () => {
    const home = new Home();
    try {
      const line = `conformance agent --json --only ${OF_THE_MACHINE.join()} --parallel 6 --`;
      const judged = home.startWords([
        ...line.split(' '),
        ...[process.execPath, PROGRAM, 'conformance', 'perform'],
      ]);
      const code = await judged.ended;
      const report = JSON.parse(judged.stdout) as Report;
      const checks = report.scenarios.flatMap((scenario) => scenario.checks);
      // Where processes cannot be seen, the report says so.
      const odd = checks.filter(
        ({ id, status }) =>
          status !== 'pass' && !(status === 'skip' && id === 'agent-secrets.arguments'),
      );
      expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
      expect([code, report.role]).toEqual([0, 'agent']);
      expect(report.scenarios.map(({ id }) => id).toSorted()).toEqual(OF_THE_MACHINE);
    } finally {
      await home.remove();
    }
  });

  it('says in one line that a command is not there', async () => {
    const home = new Home();
    try {
      const judged = await home.run('conformance agent -- /nonexistent/agent');
      expect([judged.code, judged.stdout]).toEqual([2, '']);
      expect(judged.stderr).toContain(
        '/nonexistent/agent cannot be run: there is no such command.',
      );
    } finally {
      await home.remove();
    }
  });

  it('finds a file that was named from where it was typed', async () => {
    const home = new Home();
    try {
      const judged = home.startWords([
        ...['conformance', 'agent', '--only', 'agent-call', '--'],
        ...[process.execPath, relative(process.cwd(), PROGRAM), 'conformance', 'perform'],
      ]);
      expect([await judged.ended, judged.stderr]).toEqual([0, expect.any(String)]);
    } finally {
      await home.remove();
    }
  });

  it('ends its runs and itself when it is interrupted', async () => {
    const home = new Home();
    const file = join(home.folder, 'agent.pid');
    try {
      const judged = home.startWords([
        ...['conformance', 'agent', '--only', 'agent-call', '--', process.execPath, '-e'],
        `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`,
      ]);
      const agent = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
      await until(() => agent() > 0);
      judged.child.kill('SIGINT');
      expect(await judged.ended).toBe(130);
      await until(() => !isAlive(agent()));
    } finally {
      await home.remove();
    }
  });

  it('wants the command after two dashes', async () => {
    const home = new Home();
    try {
      expect((await home.run('conformance agent')).code).toBe(2);
    } finally {
      await home.remove();
    }
  });
});
