import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf, statusOf } from '../read-exchange.ts';

/** What is no access token, sent as one. A service that takes it all the same has its own rules. */
export const wrongBearer: PassiveRule = {
  id: 'wrong-bearer',
  requirements: [
    { id: 'AR-DOES-2.agent', level: 'must', by: 'agent' },
    { id: 'IDJ-13', level: 'must', by: 'agent' },
    { id: 'A-18.agent', level: 'must', by: 'agent' },
  ],
  finds:
    'calls with what is no access token: an identity_assertion that it did not exchange, an ID-JAG or a claim token',
  spares: 'what the service takes all the same, and what it gave out as access token, too',
  watch: () => {
    return ({ exchange, from, step }, { secrets }) => {
      const token = bearerOf(exchange);
      if (from !== 'agent' || step !== 'call' || token === undefined) return [];
      if (secrets.isOnly(token, 'id_jag')) {
        const message =
          'An ID-JAG was sent as bearer token; its token_type is N_A. Register with it.';
        return [{ requirement: 'IDJ-13', message }];
      }
      if (statusOf(exchange) !== 401) return [];
      if (secrets.isOnly(token, 'identity_assertion')) {
        const message =
          'An identity_assertion was sent as bearer token. Exchange it at the token endpoint for an access token first.';
        return [{ requirement: 'AR-DOES-2.agent', message }];
      }
      if (!secrets.isOnly(token, 'claim_token')) return [];
      const message = 'A claim token was sent as bearer token; it belongs in bodies alone.';
      return [{ requirement: 'A-18.agent', message }];
    };
  },
};
