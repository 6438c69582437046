import { describe, expect, it } from 'vitest';
import { COLOR } from '../../../src/cli/terminal/style.ts';
import { table } from '../../../src/cli/terminal/table.ts';

describe('table', () => {
  it('aligns columns and leaves the last one ragged', () => {
    expect(
      table([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toBe('a     b\nlong  c');
  });

  it('goes on below at the same columns (heads stood above other columns where a row was broken)', () => {
    const rows = [
      ['registration', 'state', 'user', 'since'],
      ['reg_1', 'unclaimed', '–', '12:00'],
    ];
    expect(table(rows, 24)).toBe(
      'registration  state\n  user  since\nreg_1         unclaimed\n  –     12:00',
    );
    expect(table(rows, 23)).toBe(table(rows, 24));
    expect(table(rows, 22)).not.toBe(table(rows, 24));
  });

  it('does not count colours', () => {
    expect(
      table([
        [COLOR.red('a'), 'b'],
        ['cc', 'd'],
      ]),
    ).toBe(`${COLOR.red('a')}   b\ncc  d`);
  });
});
