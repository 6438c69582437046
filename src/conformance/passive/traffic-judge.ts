import { type Explained, type Finding, mistakeOf } from '../../traffic/index.ts';
import { KnownTraffic } from './known-traffic.ts';
import type { PassiveRule, Seen, Watch } from './passive-rule.ts';
import { RecentMap } from './recent-map.ts';
import { idJagUse, pushedEvents } from './rules/id-jags.ts';
import { listedGrants, metadataAgrees, mintedGrants } from './rules/metadata.ts';
import { framedPages, linkContents } from './rules/pages.ts';
import { pollAfterEnd, pollingPace } from './rules/polls.ts';
import {
  foreignOrigin,
  redirectedSecrets,
  resentCredentials,
  secretsInUrls,
  skillCredentials,
} from './rules/secrets.ts';
import {
  challenges,
  refusedAgain,
  revokedTokens,
  tokenAnswers,
  tokenRequest,
  wrongBearer,
} from './rules/tokens.ts';

/** The rules that traffic is judged by: of the agent, of the service, of the provider. */
export const PASSIVE_RULES: readonly PassiveRule[] = [
  pollingPace,
  pollAfterEnd,
  refusedAgain,
  wrongBearer,
  foreignOrigin,
  idJagUse,
  secretsInUrls,
  redirectedSecrets,
  skillCredentials,
  tokenRequest,
  metadataAgrees,
  challenges,
  listedGrants,
  tokenAnswers,
  revokedTokens,
  linkContents,
  framedPages,
  resentCredentials,
  mintedGrants,
  pushedEvents,
];

/**
 * Judges traffic that others make, by what it shows alone. Whoever is right is never found wrong: where an
 * exchange could be explained in another way, nothing is said.
 */
export class TrafficJudge {
  readonly #known = new KnownTraffic();
  readonly #watched: readonly (readonly [PassiveRule, Watch])[];
  /** How often each mistake was seen. */
  readonly #times = new RecentMap<string, number>();

  constructor(rules: readonly PassiveRule[] = PASSIVE_RULES) {
    this.#watched = rules.map((rule) => [rule, 'sees' in rule ? rule.sees : rule.watch()]);
  }

  /** What is wrong with an exchange. Each once, in their order. */
  judge(explained: Explained): readonly Finding[] {
    const { seq } = explained.exchange;
    const findings = this.#watched.flatMap(([rule, watch]) =>
      watch(explained, this.#known).flatMap((seen): readonly Finding[] => {
        const { requirement, also = [], message } = seen;
        const judged = rule.requirements.find(({ id }) => id === requirement);
        if (judged === undefined) return [];
        const { by, level } = judged;
        return [{ requirement, also, message, seq, level, by, times: this.#count(seen) }];
      }),
    );
    this.#known.learn(explained);
    return findings;
  }

  #count({ also = [], ...seen }: Seen): number {
    const key = mistakeOf({ also, ...seen });
    const times = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, times);
    return times;
  }
}
