interface Slots<T> {
  /** How many things are worked on at once. */
  readonly slots: number;
  /** Hands out work, at most as much as there are free slots. */
  readonly claim: (free: number) => Promise<readonly T[]>;
  /** Never rejects. */
  readonly work: (item: T) => Promise<void>;
  /** Resolves when there may be more to claim, though no slot was freed; rejects when it is aborted. */
  readonly pause?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Works until nothing is left to be claimed: a slot that is free is filled at once, whatever the other
 * ones still wait for. What was started is completed, also when claiming fails.
 */
export async function inSlots<T>({ slots, claim, work, pause }: Slots<T>): Promise<void> {
  const running = new Set<Promise<void>>();
  const start = (item: T) => {
    const one = work(item).finally(() => running.delete(one));
    running.add(one);
  };
  try {
    for (;;) {
      if (running.size < slots) for (const item of await claim(slots - running.size)) start(item);
      if (running.size === 0) return;
      const up = new AbortController();
      const waits = [...running];
      if (pause !== undefined && running.size < slots) waits.push(pause(up.signal).catch(() => {}));
      await Promise.race(waits);
      up.abort();
    }
  } finally {
    await Promise.all(running);
  }
}
