import { describe, expect, it } from 'vitest';
import { Judge, NotApplicable } from '../../../src/conformance/engine/judge.ts';
import { judgeInTime } from '../../../src/conformance/service/scenarios/token/expiry.ts';
import type { TargetControl } from '../../../src/conformance/target/http-control.ts';
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

  it('was waited for as long as the patience, where only more of it could find anything', () => {
    const clock = new FakeClock();
    expect(timeOf(30_000, clock).within(120_000)).toBe(1000);
    expect(timeOf(120_000, clock).within(120_000)).toBe(120_000);
    expect(timeOf(500, clock).within(120_000)).toBe(500);
    expect(() => timeOf(0, clock).within(120_000)).toThrow('--patience 2m');
    expect(() => timeOf(30_000, clock, control()).within(120_000)).toThrow('--patience 2m');
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
    time.learn(new Date(clock.now() + ahead).toUTCString(), undefined);
    expect(time.now() - clock.now()).toBe(offset);
    time.learn('soon', undefined);
    time.learn(undefined, '300');
    expect(time.now() - clock.now()).toBe(offset);
  });

  it.each([
    ['300', 0],
    ['240', -60_000],
    ['300, 300', -300_000],
    ['-1', -300_000],
    ['9'.repeat(400), -300_000],
  ])('and gives a Date of five minutes ago with Age: %s is %s ms off', (age, offset) => {
    const clock = new FakeClock();
    const time = timeOf(0, clock);
    time.learn(new Date(clock.now() - 300_000).toUTCString(), age);
    expect(time.now() - clock.now()).toBe(offset);
  });
});

describe('what nobody says the time of', () => {
  /** There when so many milliseconds have passed. */
  const thereAfter = (ms: number, clock: FakeClock) => {
    const began = clock.now();
    const tries: number[] = [];
    const isThere = async () => {
      tries.push(clock.now() - began);
      return clock.now() - began >= ms;
    };
    return { tries, isThere };
  };

  it('is tried at once, and in growing steps until it is there', async () => {
    const clock = new FakeClock();
    const { tries, isThere } = thereAfter(20_000, clock);
    expect(await timeOf(30_000, clock).until(600_000, isThere)).toBe(true);
    expect(tries).toEqual([0, 1_000, 3_000, 7_000, 12_000, 17_000, 22_000]);
  });

  it('is not waited for where it is there', async () => {
    const clock = new FakeClock();
    const { tries, isThere } = thereAfter(0, clock);
    expect(await timeOf(0, clock).until(600_000, isThere)).toBe(true);
    expect(tries).toEqual([0]);
  });

  it('is left to more patience, never taken for missing', async () => {
    const clock = new FakeClock();
    const { tries, isThere } = thereAfter(60_000, clock);
    await expect(timeOf(30_000, clock).until(600_000, isThere)).rejects.toMatchObject({
      option: '--patience 10m',
    });
    expect(tries.at(-1)).toBe(30_000);
  });

  it('is missing where it is not there in the time that it may take', async () => {
    const clock = new FakeClock();
    const { tries, isThere } = thereAfter(60_000, clock);
    expect(await timeOf(30_000, clock).until(10_000, isThere)).toBe(false);
    expect(tries.at(-1)).toBe(10_000);
  });

  it('is tried twice where the clock can be moved', async () => {
    const clock = new FakeClock();
    const moved = control();
    const { tries, isThere } = thereAfter(1, clock);
    expect(await timeOf(0, clock, moved).until(600_000, isThere)).toBe(false);
    expect(moved.moves).toEqual([600_000]);
    expect(tries).toHaveLength(2);
  });

  it('counts what has passed since it began', async () => {
    const clock = new FakeClock();
    const began = clock.now();
    clock.advance(29_000);
    const { tries, isThere } = thereAfter(60_000, clock);
    await expect(timeOf(30_000, clock).until(600_000, isThere, began)).rejects.toThrow(
      NotApplicable,
    );
    expect(tries).toEqual([0, 1_000]);
  });
});

describe('an instant of the target', () => {
  it('is waited for, and not where it is over', async () => {
    const clock = new FakeClock();
    const time = timeOf(30_000, clock);
    const began = clock.now();
    await time.passTo(began + 20_000);
    await time.passTo(began + 10_000);
    expect(clock.now() - began).toBe(20_000);
  });
});

describe('the parts of a scenario', () => {
  it('are judged as their time comes, and none is hidden behind a longer wait', async () => {
    const clock = new FakeClock();
    const began = clock.now();
    const judge = new Judge({ short: 'It is over.', long: 'It is over.', longer: 'It is over.' });
    const part = (checks: 'short' | 'long' | 'longer', after: number) => ({
      at: began + after,
      checks,
      run: async () => void judge.expect(checks, true, `after ${clock.now() - began} ms`),
    });
    await judgeInTime(judge, timeOf(30_000, clock), [
      part('longer', 3_600_000),
      part('long', 45_000),
      part('short', 20_000),
    ]);
    const verdicts = judge.verdicts();
    expect(verdicts.get('short')?.passed).toBe(1);
    expect(verdicts.get('long')?.passed).toBe(1);
    expect(verdicts.get('longer')?.unjudged?.needs).toBe('--patience 60m');
    expect(clock.now() - began).toBe(45_000);
  });
});

describe('the time of one scenario', () => {
  it('is that of all, and its waits are given to the others', async () => {
    const clock = new FakeClock();
    let away = 0;
    const time = timeOf(30_000, clock);
    const own = time.for({
      away: (wait) => {
        away += 1;
        return wait();
      },
    });
    time.learn(new Date(clock.now() + 60_000).toUTCString(), undefined);
    expect(own.now() - clock.now()).toBe(60_000);
    await own.pass(1_000);
    expect(away).toBe(1);
  });
});
