import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { pages } from '../../scripts/docs/pages.js';
import { LINT_RULES } from '../../src/cli/lint/rules/rule-table.ts';
import { EXIT_CODES } from '../../src/cli/shell/exit-codes.ts';
import { ALL_SCENARIOS, checkIds, readRequirements } from '../../src/conformance/index.ts';
import { MATRIX } from '../../src/mock-service/claim-machine/index.ts';
import { WIRE_CODES } from '../../src/protocol/index.ts';

const root = join(import.meta.dirname, '../..');

let all: Awaited<ReturnType<typeof pages>>;
beforeAll(async () => {
  all = await pages(root);
});

it('prints every wire code, every cell of the claim machine and every exit code', () => {
  const text = all.map(({ markdown }) => markdown).join('\n');
  const codes = Object.values(WIRE_CODES).flatMap((codes) => Object.keys(codes));
  const cells = Object.values(MATRIX).flatMap((row) =>
    Object.values(row).map(({ description }) => description),
  );
  const exits = Object.values(EXIT_CODES).map(({ meaning }) => meaning);
  const missing = [...codes, ...cells, ...exits].filter((words) => !text.includes(words));
  expect(missing).toEqual([]);
});

it('prints every requirement and every check, and counts the requirements by role and level', () => {
  const page = all.find(({ file }) => file === 'docs/conformance-checks.md');
  const text = page?.markdown ?? '';
  const requirements = readRequirements();
  expect(requirements.filter(({ id }) => !text.includes(`</a>${id} |`))).toEqual([]);
  const checks = Object.values(ALL_SCENARIOS).flatMap((scenarios) => scenarios.flatMap(checkIds));
  expect(checks.filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
  const musts = requirements.filter(({ role, level }) => role === 'service' && level === 'must');
  expect(text).toContain(`| service | must | ${musts.length} | `);
});

it('prints every rule of the linter with an example', () => {
  const page = all.find(({ file }) => file === 'docs/lint.md');
  const sections = (page?.markdown ?? '').split('\n### ').slice(1);
  expect(sections.map((text) => text.split('\n', 1)[0])).toEqual(Object.keys(LINT_RULES));
  for (const text of sections) expect(text).toMatch(/Before:\n\n```[\s\S]+After:\n\n```/);
});
