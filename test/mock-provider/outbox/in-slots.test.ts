import { expect, it } from 'vitest';
import { inSlots } from '../../../src/mock-provider/outbox/in-slots.ts';
import { settled } from './support.ts';

/** Hands out numbers, and ends what is worked on when told. */
function workshop(todo: number[], slots = 2) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const pauses: (() => void)[] = [];
  const done = inSlots<number>({
    slots,
    claim: async (free) => todo.splice(0, free),
    work: (item) => {
      begun.push(item);
      return new Promise((resolve) => ends.set(item, resolve));
    },
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  return { begun, done, end: (item: number) => ends.get(item)?.(), pauses, todo };
}

it('a slot that is free is filled while the others still wait', async () => {
  const { begun, done, end } = workshop([1, 2, 3, 4]);
  await settled();
  expect(begun).toEqual([1, 2]);
  end(2);
  await settled();
  end(3);
  await settled();
  expect(begun).toEqual([1, 2, 3, 4]);
  end(4);
  end(1);
  await done;
});

it('what comes up while one waits is begun as well', async () => {
  const { begun, done, end, pauses, todo } = workshop([1]);
  await settled();
  todo.push(2);
  pauses[0]?.();
  await settled();
  expect(begun).toEqual([1, 2]);
  end(1);
  end(2);
  await done;
});

it('what was begun is seen to its end when no more can be claimed', async () => {
  let end: () => void = () => {};
  let hasEnded = false;
  let claims = 0;
  const done = inSlots<number>({
    slots: 2,
    claim: async () => {
      claims += 1;
      if (claims > 1) throw new TypeError('broken');
      return [1];
    },
    work: () =>
      new Promise((resolve) => {
        end = resolve;
      }),
    pause: async () => {},
  }).finally(() => {
    hasEnded = true;
  });
  const failed = expect(done).rejects.toThrow('broken');
  await settled();
  expect(hasEnded).toBe(false);
  end();
  await failed;
});
