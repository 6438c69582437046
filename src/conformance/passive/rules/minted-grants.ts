import type { PassiveRule, Seen } from '../passive-rule.ts';
import { isMembers, isSuccess, membersOf } from '../read-exchange.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

export const mintedGrants: PassiveRule = {
  id: 'minted-grants',
  requirements: [
    { id: 'IDJ-12', level: 'must', by: 'provider' },
    { id: 'IDJ-03', level: 'must', by: 'provider' },
  ],
  finds: 'mints an ID-JAG for another audience than was asked for, or does not say what it is',
  spares: 'an audience that differs in a final slash alone',
  watch: () => {
    return ({ exchange, step }) => {
      const { audience, requested_token_type: wanted } = membersOf(exchange.request.body);
      if (step !== 'mint' || !isSuccess(exchange) || wanted !== ID_JAG) return [];
      const body = membersOf(exchange.response.body);
      const found: Seen[] = [];
      const type = String(body['token_type'] ?? '').toUpperCase();
      if (body['issued_token_type'] !== ID_JAG || type !== 'N_A') {
        const message =
          'The answer with an ID-JAG is to have its URN as `issued_token_type`, and `token_type` N_A.';
        found.push({ requirement: 'IDJ-12', message });
      }
      const minted = body['access_token'];
      const claims = isMembers(minted) ? membersOf(minted['claims']) : {};
      const audiences = [claims['aud']].flat().map(unslashed);
      if (
        typeof audience === 'string' &&
        'aud' in claims &&
        (audiences.length !== 1 || audiences[0] !== unslashed(audience))
      ) {
        const message = 'The `aud` of the ID-JAG is not the one audience that was asked for.';
        found.push({ requirement: 'IDJ-03', message });
      }
      return found;
    };
  },
};

function unslashed(value: unknown): string {
  return String(value).replace(/\/$/, '');
}
