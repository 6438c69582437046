import type { Explained, Finding } from '../../exchanges/index.ts';
import { KnownTraffic } from './known-traffic.ts';
import type { PassiveRule, Watch } from './passive-rule.ts';
import { PASSIVE_RULES } from './passive-rules.ts';

/**
 * Judges traffic that others make, by what it shows alone. Whoever is right is never found wrong: where an
 * exchange could be explained in another way, nothing is said.
 */
export class TrafficJudge {
  readonly #known = new KnownTraffic();
  readonly #watched: readonly (readonly [PassiveRule, Watch])[];

  constructor(rules: readonly PassiveRule[] = PASSIVE_RULES) {
    this.#watched = rules.map((rule) => [rule, rule.watch()]);
  }

  /** What is wrong with an exchange. Each once, in their order. */
  judge(explained: Explained): readonly Finding[] {
    const { seq } = explained.exchange;
    const findings = this.#watched.flatMap(([rule, watch]) =>
      watch(explained, this.#known).flatMap(({ requirement, message }): readonly Finding[] => {
        const judged = rule.requirements.find(({ id }) => id === requirement);
        return judged === undefined
          ? []
          : [{ requirement, message, seq, level: judged.level, by: judged.by }];
      }),
    );
    this.#known.learn(explained);
    return findings;
  }
}
