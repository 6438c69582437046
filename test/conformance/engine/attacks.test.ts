import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ALL_SCENARIOS,
  checkIds,
  ROLES,
  readRequirements,
} from '../../../src/conformance/index.ts';
import { readAttacks } from './read-attacks.ts';

const root = join(import.meta.dirname, '../../..');
const attacks = readAttacks(root);
const variants = Object.entries(attacks).flatMap(([id, all]) =>
  all.map((variant) => ({ id, ...variant })),
);

describe('the variants of the attacks', () => {
  it('are of every attack of the page of attacks, and of no other', () => {
    const page = readFileSync(join(root, 'docs/attacks.md'), 'utf8');
    const described = [...page.matchAll(/<a id="(a-\d\d)">/g)].map(([, id = '']) => id);
    expect(Object.keys(attacks)).toEqual(described.map((id) => id.toUpperCase()).sort());
    expect(Object.keys(attacks)).toHaveLength(52);
  });

  it('are performed by checks that exist', () => {
    const known = new Set(ROLES.flatMap((role) => ALL_SCENARIOS[role].flatMap(checkIds)));
    const unknown = variants.flatMap(({ id, checks = [] }) =>
      checks.filter((check) => !known.has(check)).map((check) => `${id}: ${check}`),
    );
    expect(unknown).toEqual([]);
  });

  it('leave no attack that a requirement judges without a check', () => {
    const judged = readRequirements()
      .filter(({ checks = [] }) => checks.length > 0)
      .flatMap(({ sources }) =>
        sources.flatMap((each) => /^attack (A-\d\d)$/.exec(each)?.[1] ?? []),
      );
    const bare = Object.keys(attacks).filter((id) =>
      (attacks[id] ?? []).every(({ checks }) => checks === undefined),
    );
    expect(bare.filter((id) => judged.includes(id))).toEqual([]);
    expect(bare).toEqual(['A-23', 'A-39', 'A-43']);
  });
});
