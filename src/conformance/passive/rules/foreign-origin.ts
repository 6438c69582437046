import type { PassiveRule } from '../passive-rule.ts';
import { bearerOf, originOf } from '../read-exchange.ts';

export const foreignOrigin: PassiveRule = {
  id: 'foreign-origin',
  requirements: [{ id: 'PRM-14.agent', level: 'should', by: 'agent' }],
  finds: 'sends an access token to another origin than its resource',
  spares:
    'origins that a document, or a request for a token, connects with the authorization server, and those of which no metadata was seen',
  watch: () => {
    return ({ exchange, from }, { documents, secrets }) => {
      const token = bearerOf(exchange);
      if (from !== 'agent' || token === undefined || !secrets.isOnly(token, 'access_token')) {
        return [];
      }
      const issuer = secrets.issuerOf(token);
      const at = originOf(exchange.url);
      if (issuer === undefined || at === undefined || at === issuer) return [];
      const servers = documents.serversOf(at);
      if (servers === undefined || servers.has(issuer)) return [];
      if (documents.wasAskedFor(issuer, at)) return [];
      const message =
        'An access token was sent to an origin whose metadata names other authorization servers than the one that issued it.';
      return [{ requirement: 'PRM-14.agent', message }];
    };
  },
};
