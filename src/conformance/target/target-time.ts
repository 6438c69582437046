import type { Clock, Sleep } from '../../runtime/index.ts';
import { NeedsOption } from '../engine/judge.ts';
import type { Waiter } from '../engine/turn.ts';
import type { TargetControl } from './http-control.ts';

interface TargetTimeOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly control: Pick<TargetControl, 'advance'> | undefined;
  /** How long may be waited where no clock can be moved. Milliseconds. */
  readonly patience: number;
}

/** Differences below this are rounding and travel: `Date` counts in seconds. Milliseconds. */
const PRECISION = 2000;

/** The first step of a wait whose length nobody has said; each is twice the one before. Milliseconds. */
const STEP = 1000;
/** The longest of them is this part of the patience: what many wait for is not there for all at once. */
const PART = 6;

/** A look at what cannot be waited for to its end. Milliseconds. */
const LOOK = 1000;

const NOBODY_ELSE: Waiter = { away: (wait) => wait() };

/** The time at the judged service or provider. */
export class TargetTime {
  readonly #options: TargetTimeOptions;
  readonly #waiter: Waiter;
  readonly #offset: { ms: number };

  constructor(options: TargetTimeOptions, waiter = NOBODY_ELSE, offset = { ms: 0 }) {
    this.#options = options;
    this.#waiter = waiter;
    this.#offset = offset;
  }

  /** The same time for one scenario, whose waits let others run. */
  for(waiter: Waiter): TargetTime {
    return new TargetTime(this.#options, waiter, this.#offset);
  }

  /** Milliseconds since the epoch, as the target sees it. */
  now(): number {
    return this.#options.clock.now() + this.#offset.ms;
  }

  /**
   * Asks for patience with what only waiting shows, even where the clock can be moved.
   * @throws NeedsOption when so much waiting is not allowed.
   */
  needPatience(ms: number): void {
    if (ms <= this.#options.patience) return;
    const option = `--patience ${asOption(ms)}`;
    throw new NeedsOption(`Needs a wait of ${inWords(ms)}: pass ${option}.`, option);
  }

  /**
   * How long to look at something that has to end within a time, which only waiting shows. With less patience no
   * look finds that it does not: a short one sees what ends at once, or ends the target, and costs nobody a wait.
   * @throws NeedsOption where the clock can be moved, so that nobody counts on waits, and the patience is less.
   */
  within(ms: number): number {
    const { control, patience } = this.#options;
    if (ms <= patience) return ms;
    if (control !== undefined || patience === 0) this.needPatience(ms);
    return Math.min(LOOK, patience);
  }

  /** As much of a time as can be waited for. */
  most(ms: number): number {
    const { control, patience } = this.#options;
    return control === undefined ? Math.min(ms, patience) : ms;
  }

  /**
   * Learns the target's time from the `Date` of an answer, to the second.
   * @param age Its `Age`: a cache keeps the `Date` of the origin, and says how long ago that was (RFC 9111 §5.1).
   */
  learn(date: string | undefined, age: string | undefined): void {
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at)) return;
    const old = /^\d{1,10}$/.test(age ?? '') ? Number(age) * 1000 : 0;
    const difference = at + old - this.#options.clock.now();
    this.#offset.ms = Math.abs(difference) < PRECISION ? 0 : difference;
  }

  /** How long may be waited where no clock can be moved. Milliseconds. */
  get patience(): number {
    return this.#options.patience;
  }

  /** Waits, whatever clock can be moved: for what the target measures with a clock of its own. */
  wait(ms: number): Promise<void> {
    return this.#waiter.away(() => this.#options.sleep(ms));
  }

  /**
   * Lets time pass at the target: its clock is moved, or else waited for. Others may run meanwhile, so that it
   * can take longer: whoever must not be late looks at `now`.
   * @throws NeedsOption where neither is possible; the message says what to do.
   */
  async pass(ms: number): Promise<void> {
    const { control, patience, sleep } = this.#options;
    if (ms <= 0) return;
    if (control !== undefined) {
      await control.advance(ms);
      this.#offset.ms += ms;
    } else if (ms <= patience) {
      await this.#waiter.away(() => sleep(ms));
    } else {
      throw tooLong(ms);
    }
  }

  /** The same until an instant of the target: at once where that is over. Milliseconds since the epoch. */
  async passTo(at: number): Promise<void> {
    await this.pass(at - this.now());
  }

  /**
   * Tries at once, and again in growing steps, until it is there. Returns false where it is not after `limit`.
   * @param limit How long a right peer may take. Milliseconds.
   * @param since When it began to take it: what has passed since is not waited for again.
   * @throws NeedsOption where it was not there within the patience, and might be within the limit.
   */
  until(limit: number, isThere: () => Promise<boolean>, since?: number): Promise<boolean> {
    return this.askUntil(limit, isThere, (answer) => answer, since);
  }

  /** The same for what is asked for: resolves to the latest answer, whether it is the right one or not. */
  async askUntil<T>(
    limit: number,
    ask: () => Promise<T>,
    isRight: (answer: T) => boolean,
    since = this.now(),
  ): Promise<T> {
    const { control, patience } = this.#options;
    let answer = await ask();
    if (isRight(answer)) return answer;
    let left = control === undefined ? this.most(limit) - (this.now() - since) : limit;
    for (let step = STEP; left > 0; step *= 2) {
      const short = Math.min(step, Math.max(STEP, patience / PART), left);
      const wait = control === undefined ? short : limit;
      await this.pass(wait);
      left -= wait;
      answer = await ask();
      if (isRight(answer)) return answer;
    }
    if (limit > this.most(limit)) throw tooLong(limit);
    return answer;
  }

  /** Waits for what something else ends, such as an event that arrives: others run meanwhile. */
  away<T>(wait: () => Promise<T>): Promise<T> {
    return this.#waiter.away(wait);
  }
}

function tooLong(ms: number): NeedsOption {
  const option = `--patience ${asOption(ms)}`;
  return new NeedsOption(
    `Needs a wait of ${inWords(ms)}: move the clock (--control), or pass ${option}.`,
    option,
  );
}

/** `2 minutes`, `1 second`. */
export function inWords(ms: number): string {
  const { amount, unit } = inUnits(ms);
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** A value of `--patience`: `2m`, `1s`. */
export function asOption(ms: number): string {
  const { amount, unit } = inUnits(ms);
  return `${amount}${unit.charAt(0)}`;
}

/** Beyond two minutes in whole minutes: more than enough is as good. */
function inUnits(ms: number): { readonly amount: number; readonly unit: 'minute' | 'second' } {
  const seconds = Math.ceil(ms / 1000);
  return seconds > 120 || seconds % 60 === 0
    ? { amount: Math.ceil(seconds / 60), unit: 'minute' }
    : { amount: seconds, unit: 'second' };
}
