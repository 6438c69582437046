import { describe, expect, it } from 'vitest';
import type { LintDocument } from '../../../src/cli/lint/finding.ts';
import { judge } from '../../../src/cli/lint/judge.ts';
import { readExamples } from '../../../src/cli/lint/present-rules.ts';
import { kindOf } from '../../../src/discovery/document.ts';
import {
  RULES,
  type RuleId,
  severityOf,
  sourceOf,
} from '../../../src/discovery/rules/rule-table.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { newMachine, runCli } from '../support/run-cli.ts';

const documentOf = (json: JsonObject): LintDocument => ({
  kind: kindOf(json) ?? 'server',
  name: 'example',
  file: undefined,
  url: undefined,
  text: JSON.stringify(json),
  json,
});

const rulesOf = (json: JsonObject) =>
  judge([documentOf(json)], []).findings.map(({ rule }) => rule);

/** Rules whose examples are documents; the others are shown by an answer or a tree of files. */
const BY_DOCUMENT = Object.entries(readExamples()).flatMap(([id, { before, after }]) =>
  typeof before === 'string' || typeof after === 'string'
    ? []
    : [{ id: id as RuleId, before, after, severity: severityOf(id as RuleId) }],
);

/** About the URL of a document, and not what stands in it. */
const OF_THE_NETWORK: readonly RuleId[] = ['authorization-server-unusable'];

describe('the example of a rule', () => {
  it.each(BY_DOCUMENT.filter(({ id }) => !OF_THE_NETWORK.includes(id)))(
    'breaks $id, and fixed keeps it',
    ({ id, before, after, severity }) => {
      const found = judge([documentOf(before)], []).findings.find(({ rule }) => rule === id);
      expect([found?.rule, found?.severity]).toEqual([id, severity]);
      expect(rulesOf(after)).not.toContain(id);
    },
  );

  it('is there for most rules', () => {
    expect(BY_DOCUMENT.length).toBeGreaterThan(40);
  });
});

it.each(Object.entries(RULES))('says of %s what holds, why, and by what', (id, rule) => {
  expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  for (const text of [rule.holds, rule.why]) expect(text).toMatch(/^[A-Z0-9a-z_].*\.$/);
  expect(sourceOf(id as RuleId)).not.toBe('');
  expect(Object.keys(readExamples())).toContain(id);
});

it('lists each rule with what the page of rules said, and asks nobody', async () => {
  const run = await runCli(newMachine(), ['lint', '--rules', '--json']);
  const [listed] = run.json();
  const rules = (listed?.['rules'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  expect([run.code, listed?.['schema']]).toEqual([0, 'agent-auth.lint-rules/1']);
  expect(rules.map(({ rule }) => rule)).toEqual(Object.keys(RULES));
  for (const each of rules) expect(Object.values(each)).not.toContain(undefined);
  const shown = (await runCli(newMachine(), ['lint', '--rules'])).stdout;
  for (const [id, { why }] of Object.entries(RULES)) {
    expect(shown).toContain(id);
    expect(shown).toContain(why);
  }
});
