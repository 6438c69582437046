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

  it('does not count colours', () => {
    expect(
      table([
        [COLOR.red('a'), 'b'],
        ['cc', 'd'],
      ]),
    ).toBe(`${COLOR.red('a')}   b\ncc  d`);
  });
});
