/** So often, with ten milliseconds between, one looks for the next: a process without a turn reads before it gives up. */
const TURNS = 20;

/** Holds whoever comes until another one has come after it, or none does: a race that no machine is too slow for. */
export class Overlap {
  #come = 0;

  async untilNext(): Promise<void> {
    this.#come += 1;
    const own = this.#come;
    for (let turn = 0; turn < TURNS && this.#come === own; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
