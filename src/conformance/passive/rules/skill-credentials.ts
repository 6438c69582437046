import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf } from '../read-exchange.ts';

export const skillCredentials: PassiveRule = {
  id: 'skill-credentials',
  requirements: [{ id: 'W2-31', level: 'must', by: 'agent' }],
  finds: 'fetches the skill file with its token',
  spares: '',
  watch: () => {
    return ({ exchange, from, step }, { secrets }) => {
      const token = bearerOf(exchange);
      if (from !== 'agent' || step !== 'skill' || token === undefined) return [];
      if (!secrets.isOnly(token, 'access_token', 'identity_assertion', 'claim_token')) return [];
      const message = 'The skill file was fetched with a token. It is public: send no credentials.';
      return [{ requirement: 'W2-31', message }];
    };
  },
};
