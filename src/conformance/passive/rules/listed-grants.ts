import type { PassiveRule } from '../passive-rule.ts';
import { errorOf, membersOf } from '../read-exchange.ts';

export const listedGrants: PassiveRule = {
  id: 'listed-grants',
  requirements: [{ id: 'ASM-06', level: 'must', by: 'service' }],
  finds: 'refuses a grant that its metadata lists as unsupported',
  spares: 'servers whose metadata was not seen',
  watch: () => {
    return ({ exchange }, { documents }) => {
      const grant = membersOf(exchange.request.body)['grant_type'];
      if (exchange.to !== 'service' || typeof grant !== 'string') return [];
      if (errorOf(exchange) !== 'unsupported_grant_type') return [];
      if (documents.serverAt(exchange.url)?.grants?.includes(grant) !== true) return [];
      const message =
        'The token endpoint does not support a grant that `grant_types_supported` lists.';
      return [{ requirement: 'ASM-06', message }];
    };
  },
};
