import type { PassiveRule } from '../passive-rule.ts';
import { fingerprintOf, isSuccess, mediaTypeOf, membersOf } from '../read-exchange.ts';

const AT_TOKEN_ENDPOINT: ReadonlySet<string> = new Set([
  'token',
  'exchange',
  'poll',
  'redeem',
  'redeem_code',
  'refresh',
  'mint',
  'device_poll',
]);
const SECRETS = ['access_token', 'identity_assertion', 'id_token', 'refresh_token', 'claim_token'];

export const tokenAnswers: PassiveRule = {
  id: 'token-answers',
  requirements: [
    { id: 'TOK-04', level: 'must', by: 'service' },
    { id: 'TOK-04.provider', level: 'must', by: 'provider' },
    { id: 'TOK-03', level: 'must', by: 'service' },
  ],
  finds: 'answers a token without `Cache-Control: no-store`, or with another media type than JSON',
  spares: 'answers that do not come from where tokens and registrations do',
  watch: () => {
    return ({ exchange, step }) => {
      const { response, to } = exchange;
      const isTokenAnswer = AT_TOKEN_ENDPOINT.has(step);
      if (!isSuccess(exchange) || !(isTokenAnswer || step === 'register')) return [];
      const body = membersOf(response.body);
      if (!SECRETS.some((name) => fingerprintOf(body[name]) !== undefined)) return [];
      const directives = (response.headers['cache-control'] ?? '').toLowerCase().split(/[\s,]+/);
      const uncached = {
        requirement: to === 'provider' ? 'TOK-04.provider' : 'TOK-04',
        message: 'A token was answered without `Cache-Control: no-store`: a cache may keep it.',
      };
      const typed = {
        requirement: 'TOK-03',
        message: 'A token was answered with another media type than application/json.',
      };
      const isTyped = mediaTypeOf(response.headers) === 'application/json';
      return [
        ...(directives.includes('no-store') ? [] : [uncached]),
        ...(isTokenAnswer && to === 'service' && !isTyped ? [typed] : []),
      ];
    };
  },
};
