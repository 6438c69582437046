import type { PassiveRule, Seen } from '../passive-rule.ts';
import { mediaTypeOf, membersOf, statusOf } from '../read-exchange.ts';

const FORM = 'application/x-www-form-urlencoded';
const TOKEN_REQUESTS: ReadonlySet<string> = new Set([
  'token',
  'exchange',
  'poll',
  'redeem',
  'redeem_code',
  'mint',
  'refresh',
  'device_poll',
]);
/** They may stand several times (RFC 8707 §2, RFC 8693 §2.1). */
const REPEATABLE: ReadonlySet<string> = new Set(['resource', 'audience']);

export const tokenRequest: PassiveRule = {
  id: 'token-request',
  requirements: [
    { id: 'AR-EP-7.agent', level: 'must', by: 'agent' },
    { id: 'TOK-22', level: 'must', by: 'agent' },
    { id: 'RES-01.agent', level: 'must', by: 'agent' },
  ],
  finds:
    'asks for a token in another form than the standards have it: no form-encoded POST, a parameter twice, a `resource` that is no absolute URI',
  spares: 'what a service takes in another encoding',
  watch: () => {
    return ({ exchange, step }) => {
      const { request } = exchange;
      if (!TOKEN_REQUESTS.has(step)) return [];
      const status = statusOf(exchange);
      const isForm = exchange.method === 'POST' && mediaTypeOf(request.headers) === FORM;
      if (!isForm) {
        const isRefused = status !== undefined && status >= 400 && status < 500;
        const isAsked = exchange.method === 'POST' || exchange.method === 'GET';
        if (!isRefused || !isAsked) return [];
        const message = `The request for a token was no POST with ${FORM}, and was refused.`;
        return [{ requirement: 'AR-EP-7.agent', message }];
      }
      const found: Seen[] = [];
      const body = membersOf(request.body);
      const twice = Object.keys(body).find(
        (name) => Array.isArray(body[name]) && !REPEATABLE.has(name),
      );
      if (request.bodyState === 'whole' && twice !== undefined) {
        const message = 'A parameter of the request for a token stands in it more than once.';
        found.push({ requirement: 'TOK-22', message });
      }
      const { resource } = body;
      const resources = [resource].flat().filter((each) => typeof each === 'string' && each !== '');
      if (resources.some((each) => !URL.canParse(String(each)) || String(each).includes('#'))) {
        const message = 'The parameter `resource` is to be an absolute URI without a fragment.';
        found.push({ requirement: 'RES-01.agent', message });
      }
      return found;
    };
  },
};
