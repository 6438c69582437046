import type { PassiveRule } from '../passive-rule.ts';
import { eachMember, fingerprintOf } from '../read-exchange.ts';

export const resentCredentials: PassiveRule = {
  id: 'resent-credentials',
  requirements: [{ id: 'BCP-03', level: 'must', by: 'service' }],
  finds:
    'redirects with 307 after a sign-in, or another POST with a secret, which the browser then sends again',
  spares: '',
  watch: () => {
    return ({ exchange, step }) => {
      const { method, request, status, to } = exchange;
      if (to !== 'service' || method !== 'POST' || status !== 307) return [];
      const secret = [...eachMember(request.body)].some(([name, value]) => {
        return !/csrf|xsrf/i.test(name) && fingerprintOf(value) !== undefined;
      });
      if (!secret && step !== 'sign_in') return [];
      const message =
        'A POST with a secret was redirected with 307: the secret is sent on. Use 303 (RFC 9110 §15.4.4).';
      return [{ requirement: 'BCP-03', message }];
    };
  },
};
