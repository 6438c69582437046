import type { Exchange } from '../../../traffic/index.ts';
import { readChallenges } from '../../http/challenge.ts';
import type { PassiveRule } from '../passive-rule.ts';
import { statusOf } from '../read-exchange.ts';

export const challenges: PassiveRule = {
  id: 'challenges',
  requirements: [
    { id: 'BRR-05', level: 'must', by: 'service' },
    { id: 'AR-EP-3', level: 'must', by: 'service' },
  ],
  finds:
    'answers a call with 401 and no challenge, or with a Bearer challenge that does not say where the metadata is',
  spares: 'challenges of other schemes alone: what they protect is another matter',
  watch: () => {
    return ({ exchange, step }) => {
      const { headers } = exchange.response;
      const status = statusOf(exchange);
      if (step !== 'call' || exchange.to !== 'service' || status !== 401) return [];
      const field = headers['www-authenticate'];
      if (field === undefined) {
        const message =
          'A call was answered with 401 and no `WWW-Authenticate`: no agent learns how to get in.';
        return [{ requirement: 'BRR-05', message }];
      }
      const bearer = readChallenges(field)?.filter(({ scheme }) => scheme === 'bearer');
      if (bearer === undefined || bearer.length === 0 || !isDiscovery(exchange)) return [];
      const hasHint = bearer.some(({ parameters }) =>
        parameters.some(([name]) => name === 'resource_metadata'),
      );
      if (hasHint) return [];
      const message =
        'The Bearer challenge names no `resource_metadata`: agents cannot discover the service by it.';
      return [{ requirement: 'AR-EP-3', message }];
    };
  },
};

/** A GET without credentials: what the specification answers with the challenge. */
function isDiscovery({ method, request }: Exchange): boolean {
  return (
    method === 'GET' && !('authorization' in request.headers) && !('cookie' in request.headers)
  );
}
