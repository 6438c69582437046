/** Wakes the one who waits for something to happen. */
export class Bell {
  #ring: () => void = () => {};

  ring(): void {
    this.#ring();
  }

  /** Resolves when it rings next. Whoever asked before is no longer woken. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve;
    });
  }
}
