import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES } from './cases.ts';

describe('a family of cases', () => {
  it.each(Object.entries(FAMILIES))('of the %s has a file of tests, each of them', (role, all) => {
    const file = (family: string) => join(import.meta.dirname, `${role}-${family}.test.ts`);
    expect(all.filter((family) => !existsSync(file(family)))).toEqual([]);
  });
});
