import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_TASKS } from '../../../src/conformance/agent/agent-task.ts';
import { judgeCommand } from '../agents/judge-command.ts';
import { withStatus } from '../support/failing-checks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'docs/examples/agent-adapter');
const PAGE = readFileSync(join(ROOT, 'docs/conformance-agent.md'), 'utf8');

/** Each task and each type is in one of them; all scenarios: test/conformance/judged/sample-adapter.test.ts. */
const SOME = [
  'agent-service-auth',
  'agent-claimed-away',
  'agent-poisoned-skill',
  'agent-call',
  'agent-id-jag',
  'agent-interaction',
  'agent-leave',
  'agent-directory',
];

describe('the sample adapter of the docs', () => {
  it('does every task', async () => {
    const results = await judgeCommand([process.execPath, join(FOLDER, 'adapter.js')], SOME);
    const odd = withStatus(results, ['fail', 'warn', 'skip', 'untestable']);
    expect(odd.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
    expect(results).toHaveLength(SOME.length);
  });

  it('is on the page, each file and each task of it', () => {
    const missing = readdirSync(FOLDER).filter(
      (name) => !PAGE.includes(`(examples/agent-adapter/${name})`),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(AGENT_TASKS).filter((task) => !PAGE.includes(`| \`${task}\` |`))).toEqual(
      [],
    );
  });
});
