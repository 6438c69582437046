import { checked } from '../../mock/controls/control-problem.ts';
import { Controls, type ControlsOptions } from '../../mock/controls/controls.ts';
import type { LiveValue } from '../../mock/controls/live-value.ts';
import type { PolicyRule } from '../config/policy-rule.ts';

/** The controls that a provider has beside those of every mock. */
export class ProviderControls extends Controls {
  readonly #policy: LiveValue<readonly PolicyRule[]>;
  readonly #resolve: (rules: readonly PolicyRule[]) => readonly PolicyRule[];

  /** @param resolve checks rules as the option is checked: a TypeError says what is wrong. */
  constructor(
    options: ControlsOptions,
    policy: LiveValue<readonly PolicyRule[]>,
    resolve: (rules: readonly PolicyRule[]) => readonly PolicyRule[],
  ) {
    super(options);
    this.#policy = policy;
    this.#resolve = resolve;
  }

  /** The rules that decide now what clients reach; the first one that fits does. */
  async policy(): Promise<readonly PolicyRule[]> {
    await this.options.core.follow();
    return this.#policy.current();
  }

  /** Replaces the rules until the reset. Without an argument the configured ones come back. */
  async setPolicy(rules?: readonly PolicyRule[]): Promise<readonly PolicyRule[]> {
    const resolved = rules && checked(() => this.#resolve(rules));
    await this.change('policy.set', async (tx) => {
      await (resolved ? this.#policy.write(tx, resolved) : this.#policy.clear(tx));
      return { rules: resolved?.length ?? 'as configured' };
    });
    return this.policy();
  }
}
