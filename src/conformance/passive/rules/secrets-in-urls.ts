import type { PassiveRule } from '../passive-rule.ts';
import { fingerprintsIn } from '../read-exchange.ts';

export const secretsInUrls: PassiveRule = {
  id: 'secrets-in-urls',
  requirements: [
    { id: 'BRR-03', level: 'must', by: 'agent' },
    { id: 'A-18.agent', level: 'must', by: 'agent' },
  ],
  finds: 'sends a token, an assertion or a claim token in a URL',
  spares: 'links that the service itself handed out, and secrets whose issue was not seen',
  watch: () => {
    return ({ exchange, from }, { secrets }) => {
      if (from !== 'agent') return [];
      const sent = fingerprintsIn(exchange.url).filter((each) => !secrets.isInLink(each));
      if (sent.some((each) => secrets.isOnly(each, 'claim_token'))) {
        const message = 'A claim token stands in the URL of the request; it belongs in the body.';
        return [{ requirement: 'A-18.agent', message }];
      }
      const isToken = (each: string) =>
        secrets.isOnly(
          each,
          'access_token',
          'identity_assertion',
          'id_jag',
          'id_token',
          'refresh_token',
        );
      if (!sent.some(isToken)) return [];
      const message =
        'A token stands in the URL of the request, where logs and histories keep it; it belongs in the header or the body.';
      return [{ requirement: 'BRR-03', message }];
    };
  },
};
