/** Wakes the loop that waits for work. */
export class WakeSignal {
  #wake: () => void = () => {};

  wake(): void {
    this.#wake();
  }

  /** Resolves at the next {@link wake}. An earlier waiter is no longer woken. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
