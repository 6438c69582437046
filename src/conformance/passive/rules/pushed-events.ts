import type { PassiveRule } from '../passive-rule.ts';
import { mediaTypeOf } from '../read-exchange.ts';

export const pushedEvents: PassiveRule = {
  id: 'pushed-events',
  requirements: [{ id: 'PSH-01', level: 'must', by: 'provider' }],
  finds: 'pushes a security event with another media type than application/secevent+jwt',
  spares: '',
  watch: () => {
    return ({ exchange, step }) => {
      const { method, request } = exchange;
      if (step !== 'event' || method !== 'POST') return [];
      if (mediaTypeOf(request.headers) === 'application/secevent+jwt') return [];
      const message =
        'A security event is to be pushed as application/secevent+jwt (RFC 8935 §2.1).';
      return [{ requirement: 'PSH-01', message }];
    };
  },
};
