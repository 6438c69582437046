import type { PassiveRule } from '../passive-rule.ts';
import {
  answeredAt,
  bearerOf,
  fingerprintOf,
  isSuccess,
  membersOf,
  originOf,
  statusOf,
} from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

export const revokedTokens: PassiveRule = {
  id: 'revoked-tokens',
  requirements: [{ id: 'BRR-14', level: 'should', by: 'service' }],
  finds: 'takes a token that was revoked',
  spares:
    'calls that were under way with the revocation, what was never seen to be protected, and tokens of another server',
  watch: () => {
    /** When their revocation was answered. */
    const revoked = new RecentMap<string, number>();
    /** Paths that were refused without a token. */
    const guarded = new RecentMap<string, true>();
    return ({ exchange, step }, { secrets }) => {
      const { at, method, request, url } = exchange;
      const token = bearerOf(exchange);
      const place = `${method} ${url}`;
      if (step === 'revoke') {
        const given = fingerprintOf(membersOf(request.body)['token']);
        const isOwn = given !== undefined && secrets.issuerOf(given) === originOf(url);
        if (isOwn && isSuccess(exchange)) revoked.set(given, answeredAt(exchange));
        return [];
      }
      if (step !== 'call') return [];
      if (statusOf(exchange) === 401) guarded.set(place, true);
      const since = token === undefined ? undefined : revoked.get(token);
      if (since === undefined || at <= since || !isSuccess(exchange)) return [];
      if (!guarded.has(place)) return [];
      const message = 'A call was answered with a token whose revocation the server had confirmed.';
      return [{ requirement: 'BRR-14', message }];
    };
  },
};
