import { describe, expect, it, vi } from 'vitest';
import { Barrier, heldUntil } from './barrier.ts';

/** For some turns, of those in which one is held. */
const later = () => heldUntil(() => false, 20);

describe('requests that race', () => {
  it('decide on the same, however much later the second one comes', async () => {
    const barrier = new Barrier<number>();
    let count = 0;
    const decide = () =>
      barrier.decideLate(
        'one claim',
        async () => count,
        async (seen) => {
          count = seen + 1;
        },
      );
    const first = decide();
    await later();
    const second = decide();
    await Promise.all([first, second]);
    expect(count).toBe(1);
  });

  it.each(['before', 'after'])(
    'are overtaken by what comes %s the one that is late',
    async (order) => {
      const barrier = new Barrier<boolean>();
      let isEnded = false;
      const written: string[] = [];
      const late = () =>
        barrier.decideLate(
          'one subject',
          async () => isEnded,
          async (seen) => written.push(`late, seen ${seen ? 'ended' : 'active'}`),
          { isOvertaken: true },
        );
      const between = () =>
        barrier.comeBetween('one subject', async () => {
          isEnded = true;
          written.push('ended');
        });
      const [one, other] = order === 'before' ? [between, late] : [late, between];
      const first = one();
      await later();
      const second = other();
      await Promise.all([first, second]);
      expect(written).toEqual(['ended', 'late, seen active']);
    },
  );

  it('go on where no other one comes, and are not held at the same thing for ever', async () => {
    const barrier = new Barrier<undefined>();
    const turns = vi.spyOn(crypto.subtle, 'deriveBits');
    for (let n = 0; n < 10; n += 1) {
      const alone = barrier.decideLate(
        'one claim',
        async () => undefined,
        async () => n,
      );
      expect(await alone).toBe(n);
    }
    expect(turns).toHaveBeenCalledTimes(400);
  });
});
