import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AGENT_TASKS } from '../../../src/conformance/agent/agent-task.ts';
import { RAW_FLOWS } from '../../contract/flows.ts';
import { readGolden } from '../../contract/golden.ts';
import { flowsOf } from '../../dialects/possible-flows.ts';
import { nameOf } from '../../dialects/recorded-flows.ts';
import { readPage } from '../../package/pages/read-page.ts';
import { judgeCommand } from '../agents/judge-command.ts';
import { withStatus } from '../support/failing-checks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'docs/examples/agent-adapter');
const PAGE = readFileSync(join(ROOT, 'docs/conformance-agent.md'), 'utf8');

/** Each task and each type is in one of them. */
const SOME = [
  'agent-service-auth',
  'agent-claimed-away',
  'agent-poisoned-skill',
  'agent-call',
  'agent-id-jag',
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

/** Members whose value says what a message is. */
const TELLING = new Set(['type', 'assertion_type', 'error']);

/** Every message of the golden transcripts in the dialect of the page, and what the OpenAPI document shows beside them. */
function recordedMessages(): readonly unknown[] {
  const names = [
    ...flowsOf('flat').map((flow) => nameOf('flat', flow)),
    ...Object.keys(RAW_FLOWS).map((name) => nameOf('flat', name)),
  ];
  const written: unknown = parse(readFileSync(join(ROOT, 'openapi/service.yaml'), 'utf8'));
  const messages = names.flatMap(readGolden).flatMap(({ sent, body }) => [sent, body]);
  return [...messages, ...examplesIn(written)];
}

function examplesIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'examples' && !Array.isArray(each)
      ? Object.values(Object(each)).map((example) => Object(example)['value'])
      : examplesIn(each),
  );
}

/** Whether an example has each member of what the page shows of such a message. */
function has(example: unknown, shown: unknown): boolean {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return true;
  return Object.entries(shown).every(([name, value]) => {
    const own: unknown = Object(example)[name];
    return own !== undefined && (TELLING.has(name) ? own === value : has(own, value));
  });
}

describe('what the page says that an agent meets', () => {
  const examples = recordedMessages();
  const shown = readPage('docs/write-an-agent.md').blocks.flatMap(({ kind, text }) => {
    if (kind === 'jsonc')
      return [...text.matchAll(/\{.*\}/g)].map(([body]) => body.replace('{ … }', '{}'));
    return kind === 'json' && !/"schema"|"service_id"/.test(text) ? [text] : [];
  });

  it.each(shown)('is a message of the mock: %s', (body) => {
    const message: unknown = JSON.parse(body);
    expect(examples.some((example) => has(example, message))).toBe(true);
  });

  it('is told from one that no mock sends', () => {
    expect(shown.length).toBeGreaterThan(9);
    const isSent = (message: unknown) => examples.some((example) => has(example, message));
    expect(isSent({ registration_id: '…', claim_url: '…' })).toBe(true);
    expect(isSent({ registration_id: '…', claim_uri: '…' })).toBe(false);
    expect(isSent({ error: 'interaction_required', max_age: 60 })).toBe(false);
  });
});
