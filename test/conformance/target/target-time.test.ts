import { describe, expect, it } from 'vitest';
import { NotApplicable } from '../../../src/conformance/engine/judge.ts';
import type { TargetControl } from '../../../src/conformance/target/target-control.ts';
import { TargetTime } from '../../../src/conformance/target/target-time.ts';
import { FakeClock, fakeSleep } from '../../../src/runtime/index.ts';

/** A clock to be moved, and how far it was. */
function control(): Pick<TargetControl, 'advance'> & { readonly moves: readonly number[] } {
  const moves: number[] = [];
  return {
    moves,
    advance: async (by) => {
      moves.push(by);
    },
  };
}

const timeOf = (patience: number, clock: FakeClock, by?: ReturnType<typeof control>) =>
  new TargetTime({ clock, sleep: fakeSleep(clock), control: by, patience });

describe('the time at the target', () => {
  it('is waited for where that takes no longer than is allowed', async () => {
    const clock = new FakeClock();
    const began = clock.now();
    const time = timeOf(2000, clock);
    await time.pass(2000);
    time.needPatience(2000);
    expect(clock.now() - began).toBe(2000);
    expect(time.now() - began).toBe(2000);
    await expect(time.pass(2001)).rejects.toThrow(NotApplicable);
    expect(() => time.needPatience(2001)).toThrow('--patience 3s');
    expect(clock.now() - began).toBe(2000);
  });

  it.each([
    [119_001, '2 minutes', '2m'],
    [119_000, '119 seconds', '119s'],
    [601_000, '11 minutes', '11m'],
    [3_600_000, '60 minutes', '60m'],
  ])('of %i ms is asked for in units that can be typed: %s', async (ms, words, option) => {
    const waiting = timeOf(0, new FakeClock()).pass(ms);
    await expect(waiting).rejects.toThrow(
      `Needs a wait of ${words}: move the clock (--control), or pass --patience ${option}.`,
    );
    await expect(waiting).rejects.toMatchObject({ option: `--patience ${option}` });
  });

  it('is moved where it can be, and known to be ahead then', async () => {
    const clock = new FakeClock();
    const moved = control();
    const time = timeOf(0, clock, moved);
    await time.pass(3_600_000);
    expect(moved.moves).toEqual([3_600_000]);
    expect(time.now() - clock.now()).toBe(3_600_000);
    // What only waiting shows is not shown by a clock that was moved.
    expect(() => time.needPatience(1)).toThrow(NotApplicable);
  });

  it.each([
    [1000, 0],
    [-1000, 0],
    [2000, 2000],
    [-60_000, -60_000],
  ])('that is %i ms ahead by its Date is %i ms off: less is rounding', (ahead, offset) => {
    const clock = new FakeClock();
    const time = timeOf(0, clock);
    time.learn(new Date(clock.now() + ahead).toUTCString());
    expect(time.now() - clock.now()).toBe(offset);
    time.learn('soon');
    time.learn(undefined);
    expect(time.now() - clock.now()).toBe(offset);
  });
});
