import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PASSIVE_RULES, readRequirements } from '../../../src/conformance/index.ts';

const requirements = new Map(readRequirements().map((each) => [each.id, each]));
const judged = PASSIVE_RULES.flatMap((rule) =>
  rule.requirements.map((each) => ({ rule: rule.id, ...each })),
);

describe('the rules of passive judging', () => {
  it('have an id each', () => {
    const ids = PASSIVE_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  it('judge requirements that name them, by their role and their level', () => {
    const rows = judged.map(({ by, id, level, rule }) => `${id} ${rule} ${by} ${level}`);
    const named = [...requirements.values()].flatMap(({ id, level, role, rules = [] }) =>
      rules.map((rule) => `${id} ${rule} ${role} ${level}`),
    );
    expect(rows.toSorted()).toEqual(named.toSorted());
  });

  it('are shown broken traffic, for each requirement', () => {
    const shown = ['broken-agents', 'broken-servers', 'scripted']
      .map((name) => readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'))
      .join('\n');
    const unshown = judged.filter(({ by, id }) => {
      return !shown.includes(`'${id}'`) && !shown.includes(`'${by} ${id}'`);
    });
    expect(unshown).toEqual([]);
  });
});
