import type { Wired } from './fault.ts';
import { Wiring, type WiringOptions } from './wiring.ts';

/** The mock as it is wired now, for parts that are made before it is and outlive a change of its faults. */
export class Current<M extends Wired> {
  #wiring: Wiring<M> | undefined;

  /** @throws TypeError as long as nothing has been wired. */
  readonly now = (): M => {
    if (this.#wiring === undefined) throw new TypeError('The mock is not wired yet.');
    return this.#wiring.now();
  };

  /** From then on that is the mock. A fault that cannot be wired fails at once, not at the first request. */
  wire(options: WiringOptions<M>): Wiring<M> {
    this.#wiring = new Wiring(options);
    this.#wiring.now();
    return this.#wiring;
  }
}
