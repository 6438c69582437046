import { expect, it } from 'vitest';
import { mixed, times } from './tally.ts';

/** More calls than there are head starts, so that each is met. */
const CALLS = 15;

it('sends the few though the many are fewer than any head start', async () => {
  for (const count of [0, 1, 3]) {
    for (let call = 0; call < CALLS; call += 1) {
      const many = times(count, (index) => async () => index);
      expect(await mixed([async () => 'few'], many)).toEqual([
        ['few'],
        times(count, (index) => index),
      ]);
    }
  }
});

it('fails where one of the many does, whatever the head start', async () => {
  const broken = async () => {
    throw new Error('refused');
  };
  for (let call = 0; call < CALLS; call += 1) {
    await expect(mixed([async () => 'few'], [broken])).rejects.toThrow('refused');
  }
});
