import type { Clock, Log, LogFields, Random, Sleep } from './ports.ts';

/** A clock that moves only when told. Starts at 2026-01-01T00:00:00.000Z unless given milliseconds. */
export class FakeClock implements Clock {
  #now: number;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** The time that was set last, in milliseconds since the Unix epoch. */
  now(): number {
    return this.#now;
  }

  /** Moves on by so many milliseconds. */
  advance(ms: number): void {
    this.#now += ms;
  }
}

/** A repeatable stream of bytes (mulberry32). For tests and golden transcripts alone: it is no secret. */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed = 1) {
    this.#state = seed >>> 0;
  }

  /** The next bytes of the stream. */
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => {
      this.#state = (this.#state + 0x6d2b79f5) >>> 0;
      let t = this.#state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return (t ^ (t >>> 14)) & 0xff;
    });
  }
}

/** Sleeping moves the fake clock at once; `onSleep` may act for the rest of the world meanwhile. */
export function fakeSleep(clock: FakeClock, onSleep?: (ms: number) => void | Promise<void>): Sleep {
  return async (ms, signal) => {
    signal?.throwIfAborted();
    clock.advance(ms);
    await onSleep?.(ms);
    signal?.throwIfAborted();
  };
}

/** A line of a {@link MemoryLog}. */
export interface LogEntry {
  /** How urgent it is. */
  readonly level: keyof Log;
  /** What happened. */
  readonly event: string;
  /** What is told beside it. */
  readonly fields: LogFields;
}

/** Keeps what was logged. */
export class MemoryLog implements Log {
  /** Everything so far, oldest first. */
  readonly entries: LogEntry[] = [];

  /** Keeps it at the level `debug`. */
  debug(event: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'debug', event, fields });
  }

  /** Keeps it at the level `info`. */
  info(event: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'info', event, fields });
  }

  /** Keeps it at the level `warn`. */
  warn(event: string, fields: LogFields = {}): void {
    this.entries.push({ level: 'warn', event, fields });
  }
}
